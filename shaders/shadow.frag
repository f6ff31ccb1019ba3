#version 330 core
void main() {}  // only the depth is wanted
