#include "column.h"
static const char *Name = NAME;
__global__ void strided(float *p) { p[COLUMN(threadIdx.x)] = 1; }
