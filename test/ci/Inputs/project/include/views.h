#pragma once
#include "tile.cuh"

struct View {
  float *data;
  int rows, columns;
};
