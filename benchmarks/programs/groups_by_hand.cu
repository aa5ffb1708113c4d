#include "together_by_hand.cu"
