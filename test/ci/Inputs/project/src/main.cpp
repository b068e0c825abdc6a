void runFill(float *);

int main() { runFill(nullptr); }
