#define HARNESS_FORMAT "illanim"
#include "format.h"
