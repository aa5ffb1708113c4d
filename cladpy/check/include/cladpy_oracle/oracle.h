// Everything that a program emitted by the oracle includes.
#ifndef CLADPY_ORACLE_ORACLE_H
#define CLADPY_ORACLE_ORACLE_H

#include <cladpy/host.h>
#include <cladpy/host_code.h>

#include "cladpy_oracle/classes.h"
#include "cladpy_oracle/dual.h"
#include "cladpy_oracle/first_contents.h"
#include "cladpy_oracle/formulas.h"
#include "cladpy_oracle/hosted.h"
#include "cladpy_oracle/pointers.h"
#include "cladpy_oracle/shadow.h"
#include "cladpy_oracle/swaps.h"
#include "cladpy_oracle/warp.h"

#endif
