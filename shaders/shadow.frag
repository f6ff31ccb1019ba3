void main() {}  // only the depth is wanted
