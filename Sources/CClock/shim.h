// The kernel's clock discipline, which Swift's Glibc module leaves out.
#pragma once
#include <sys/timex.h>
