/* The mutators as a library with the functions that AFL++ calls. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t mutate_input(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t mutate_cross(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                    size_t room, unsigned int seed);

typedef struct state {
    uint8_t *bytes;
    unsigned int seed;
} state;

void *afl_custom_init(void *afl, unsigned int seed);
void afl_custom_deinit(void *data);
size_t afl_custom_fuzz(void *data, uint8_t *buffer, size_t size, uint8_t **out, uint8_t *add,
                       size_t add_size, size_t max_size);

enum { LARGEST = 1 << 16 };

void *afl_custom_init(void *afl, unsigned int seed)
{
    (void)afl;
    state *s = calloc(1, sizeof *s);
    if (s != NULL && (s->bytes = malloc(LARGEST)) == NULL) {
        free(s);
        return NULL;
    }
    if (s != NULL)
        s->seed = seed;
    return s;
}

void afl_custom_deinit(void *data)
{
    free(((state *)data)->bytes);
    free(data);
}

/* One input in four is crossed with another of the queue. An input that the mutators cannot change
 * is returned unchanged; AFL++'s own mutators then change it. */
size_t afl_custom_fuzz(void *data, uint8_t *buffer, size_t size, uint8_t **out, uint8_t *add,
                       size_t add_size, size_t max_size)
{
    enum { TURNS = 4 };
    state *s = data;
    size_t room = max_size < LARGEST ? max_size : LARGEST;
    size_t mutated = 0;
    if (++s->seed % TURNS == 0 && add != NULL)
        mutated = mutate_cross(buffer, size, add, add_size, s->bytes, room, s->seed);
    if (mutated == 0 && size <= room) {
        memcpy(s->bytes, buffer, size);
        mutated = mutate_input(s->bytes, size, room, s->seed);
    }
    *out = mutated != 0 ? s->bytes : buffer;
    return mutated != 0 ? mutated : size;
}
