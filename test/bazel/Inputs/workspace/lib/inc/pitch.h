#define COLUMN(i) ((i) * PITCH)
