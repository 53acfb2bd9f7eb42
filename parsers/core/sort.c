/* Heap sort: in place, without recursion, n log n for any input. */
#include "sort.h"

typedef bool (*less_than)(const void *context, uint32_t a, uint32_t b);

static void sift_down(uint32_t *heap, uint32_t root, uint32_t count, less_than less,
                      const void *context)
{
    uint32_t item = heap[root];
    for (uint32_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && less(context, heap[child], heap[child + 1]))
            child++;
        if (!less(context, item, heap[child]))
            break;
        heap[root] = heap[child];
    }
    heap[root] = item;
}

void m5_sort(uint32_t *index, uint32_t count, less_than less, const void *context)
{
    for (uint32_t i = count / 2; i-- > 0;)
        sift_down(index, i, count, less, context);
    for (uint32_t end = count; end-- > 1;) {
        uint32_t top = index[0];
        index[0] = index[end];
        index[end] = top;
        sift_down(index, 0, end, less, context);
    }
}
