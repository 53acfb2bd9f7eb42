/* Which files of a game's folders an engine finds. */
#ifndef M5_LINT_APP_INPUTS_GAME_H
#define M5_LINT_APP_INPUTS_GAME_H

#include "inputs.h"

/* Whether the engine opens an archive. True for one that is in no game. */
bool m5_game_opens(m5_game_rules rules, const m5_input *archive);

/* Marks the inputs that an engine does not find, since another one has the same path in the game.
 * Returns false when out of memory. */
bool m5_game_find(m5_inputs *inputs);

/* Whether all files of the game are known. */
bool m5_game_is_complete(const m5_inputs *inputs);

#endif
