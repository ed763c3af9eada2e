/* A unit of FMI 3.0 through its life, for valgrind: no byte is lost, none is read before it is written. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "config.h"

void *fmi3InstantiateCoSimulation(const char *, const char *, const char *, bool, bool, bool, bool, const uint32_t *, size_t,
    void *, void *, void *);
void fmi3FreeInstance(void *);
int fmi3EnterInitializationMode(void *, bool, double, double, bool, double);
int fmi3ExitInitializationMode(void *);
int fmi3DoStep(void *, double, double, bool, bool *, bool *, bool *, double *);
int fmi3GetFloat64(void *, const uint32_t *, size_t, double *, size_t);
int fmi3GetFMUState(void *, void **);
int fmi3SetFMUState(void *, void *);
int fmi3FreeFMUState(void *, void **);
int fmi3GetDirectionalDerivative(void *, const uint32_t *, size_t, const uint32_t *, size_t, const double *, size_t, double *, size_t);

enum { ALL = 1 + UNIT_STATES + UNIT_STATES/2 + UNIT_PARAMETERS + UNIT_INPUTS + UNIT_OBSERVES + UNIT_REACTIONS + UNIT_EVENTS };

static double run(void)
{
    bool events, ends, early;
    double last = 0.0, sum = 0.0, value = 0.0, seed = 1.0, change = 0.0;
    void *saved = NULL;
    void *one = fmi3InstantiateCoSimulation("one", UNIT_TOKEN, NULL, false, false, false, false, NULL, 0, NULL, NULL, NULL);
    if (!one) exit(2);
    if (fmi3EnterInitializationMode(one, false, 0.0, 0.0, false, 0.0) || fmi3ExitInitializationMode(one)) exit(3);
    if (fmi3GetFMUState(one, &saved)) exit(4);
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < 3; k++) {
            if (fmi3DoStep(one, 0.1*k, 0.1, true, &events, &ends, &early, &last)) exit(5);
        }
        for (uint32_t at = 0; at < ALL; at++) {
            if (fmi3GetFloat64(one, &at, 1, &value, 1)) exit(6);
            sum += value;
        }
        const uint32_t known = 1, unknown = UNIT_STATES + 1;
        if (fmi3GetDirectionalDerivative(one, &unknown, 1, &known, 1, &seed, 1, &change, 1)) exit(7);
        sum += change;
        if (fmi3SetFMUState(one, saved)) exit(8);
    }
    fmi3FreeFMUState(one, &saved);
    fmi3FreeInstance(one);
    return sum;
}

int main(void)
{
    double sum = 0.0;
    for (int k = 0; k < 10; k++) sum += run();
    printf("%.3g\n", sum);
    return 0;
}
