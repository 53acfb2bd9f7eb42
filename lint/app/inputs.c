/* Makes the list of inputs from the command line's arguments. */
#include "inputs.h"

#include <stdlib.h>
#include <string.h>

static bool add(m5_inputs *inputs, m5_input input)
{
    if (inputs->count == inputs->room) {
        size_t room = inputs->room != 0 ? 2 * inputs->room : 64;
        m5_input *list = realloc(inputs->list, room * sizeof *list);
        if (list == NULL)
            return false;
        inputs->list = list;
        inputs->room = room;
    }
    inputs->list[inputs->count++] = input;
    return true;
}

bool m5_inputs_add(m5_inputs *inputs, const char *argument)
{
    bool standard = strcmp(argument, "-") == 0;
    return add(inputs, (m5_input){.name = argument, .path = standard ? NULL : argument});
}

void m5_inputs_free(m5_inputs *inputs)
{
    free(inputs->list);
}
