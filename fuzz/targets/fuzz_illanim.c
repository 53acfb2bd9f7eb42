/* Fuzz target: any bytes as an illanim. */
#define HARNESS_FORMAT "illanim"
#include "one_format.h"
