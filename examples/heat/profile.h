// What the temperature along the rod should be in the end: warm in the middle third.
#pragma once

inline double wanted(int i, int n) { return 3 * i > n && 3 * i < 2 * n ? 1.0 : 0.25; }
