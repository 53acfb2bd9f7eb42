/* Private: results must not depend on the machine, so a product and a sum are rounded one after the
 * other. gcc does so with -std=c11 or -ffp-contract=off, other compilers if told here. */
#ifndef M5_EXACT_H
#define M5_EXACT_H

#if defined(__clang__) || !defined(__GNUC__)
#pragma STDC FP_CONTRACT OFF
#endif

#endif
