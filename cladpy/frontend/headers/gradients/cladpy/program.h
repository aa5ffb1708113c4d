// What gradients of host programs are made of has no gradient: nothing of it is declared.
#pragma once
