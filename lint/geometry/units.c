/* Ratios of units that models are exported in: see units.h. */
#include "units.h"

#include <math.h>

const double m5_units[M5_UNITS] = {2.54, 1 / 0.3048, 25.4, 30.48, 1 / 0.0254, 100, 1000,
                                   2,    10,         12,   16,    32,         64};

bool m5_is_unit(double scale)
{
    static const double near = 0.03; /* and 40 is taken for 39.37 */
    double by = scale < 1 ? 1 / scale : scale;
    for (unsigned i = 0; i < M5_UNITS; i++)
        if (fabs(by / m5_units[i] - 1) <= near)
            return true;
    return false;
}

bool m5_is_other_scale(double scale, uint32_t bones)
{
    enum { MANY = 6 }; /* a telescope has fewer */
    return bones >= MANY || scale == 0 || m5_is_unit(scale);
}
