#include "lib/inc/pitch.h"
#include <pitch.h>
__global__ void strided(float *p) { p[COLUMN(threadIdx.x)] = SCALE; }
