/* The interface FMI 3.0: model exchange and co-simulation. */
#include "unit.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif
#ifdef FMI3_FUNCTION_PREFIX
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define FN(name) JOIN(FMI3_FUNCTION_PREFIX, name)
#else
#define FN(name) name
#endif

typedef enum { OK, WARNING, DISCARD, ERROR, FATAL } Status;
typedef void (*Logger)(void *, Status, const char *, const char *);
typedef struct {
    Unit unit;
    Logger logger;
    void *environment;
    bool early;
} Instance;

static Status told(Instance *one, int failed, const char *what)
{
    if (!failed) return OK;
    if (one->logger) one->logger(one->environment, ERROR, "logStatusError", what);
    return ERROR;
}

EXPORT const char *FN(fmi3GetVersion)(void) { return "3.0"; }

EXPORT Status FN(fmi3SetDebugLogging)(void *c, bool on, size_t n, const char *const categories[])
{
    (void)c, (void)on, (void)n, (void)categories;
    return OK;
}

static void *instantiate(const char *token, void *environment, Logger logger)
{
    if (!token || strcmp(token, UNIT_TOKEN) != 0) return NULL;
    Instance *one = calloc(1, sizeof *one);
    if (!one) return NULL;
    one->environment = environment;
    one->logger = logger;
    unit_reset(&one->unit);
    return one;
}

EXPORT void *FN(fmi3InstantiateModelExchange)(const char *name, const char *token, const char *resources, bool visible,
    bool logging, void *environment, Logger logger)
{
    (void)name, (void)resources, (void)visible, (void)logging;
    return instantiate(token, environment, logger);
}

EXPORT void *FN(fmi3InstantiateCoSimulation)(const char *name, const char *token, const char *resources, bool visible,
    bool logging, bool events, bool early, const uint32_t required[], size_t n, void *environment, Logger logger,
    void *update)
{
    (void)name, (void)resources, (void)visible, (void)logging, (void)events, (void)required, (void)n, (void)update;
    Instance *one = instantiate(token, environment, logger);
    if (one) one->early = early;
    return one;
}

EXPORT void FN(fmi3FreeInstance)(void *c) { free(c); }

EXPORT Status FN(fmi3EnterInitializationMode)(void *c, bool is_tolerance, double tolerance, double start, bool is_stop,
    double stop)
{
    Instance *one = c;
    (void)is_stop, (void)stop;
    if (is_tolerance && tolerance > 0.0) one->unit.now.tolerance = tolerance;
    one->unit.now.t = start;
    one->unit.now.starting = 1;
    return OK;
}

EXPORT Status FN(fmi3ExitInitializationMode)(void *c)
{
    Instance *one = c;
    const int failed = unit_start(&one->unit);
    one->unit.now.changed = 0;
    return told(one, failed, "the start satisfies no constraints");
}

EXPORT Status FN(fmi3EnterEventMode)(void *c) { (void)c; return OK; }
EXPORT Status FN(fmi3EnterContinuousTimeMode)(void *c) { (void)c; return OK; }
EXPORT Status FN(fmi3EnterStepMode)(void *c) { (void)c; return OK; }
EXPORT Status FN(fmi3EnterConfigurationMode)(void *c) { (void)c; return OK; }
EXPORT Status FN(fmi3ExitConfigurationMode)(void *c) { (void)c; return OK; }
EXPORT Status FN(fmi3EvaluateDiscreteStates)(void *c) { (void)c; return OK; }
EXPORT Status FN(fmi3Terminate)(void *c) { (void)c; return OK; }
EXPORT Status FN(fmi3Reset)(void *c) { unit_reset(&((Instance *)c)->unit); return OK; }

EXPORT Status FN(fmi3GetFloat64)(void *c, const uint32_t at[], size_t n, double value[], size_t count)
{
    Instance *one = c;
    if (count < n) return ERROR;
    for (size_t k = 0; k < n; k++) {
        if (unit_get(&one->unit, at[k], &value[k]) != 0) return told(one, 1, "fmi3GetFloat64 has no answer here");
    }
    return OK;
}

EXPORT Status FN(fmi3SetFloat64)(void *c, const uint32_t at[], size_t n, const double value[], size_t count)
{
    Instance *one = c;
    if (count < n) return ERROR;
    for (size_t k = 0; k < n; k++) {
        if (unit_set(&one->unit, at[k], value[k]) != 0) return told(one, 1, "fmi3SetFloat64: this cannot be set");
    }
    return OK;
}

EXPORT Status FN(fmi3GetFMUState)(void *c, void **state)
{
    if (!*state) *state = malloc(sizeof(UnitState));
    if (!*state) return ERROR;
    memcpy(*state, &((Instance *)c)->unit.now, sizeof(UnitState));
    return OK;
}

EXPORT Status FN(fmi3SetFMUState)(void *c, void *state)
{
    Instance *one = c;
    memcpy(&one->unit.now, state, sizeof(UnitState));
    unit_touch(&one->unit);
    return OK;
}

EXPORT Status FN(fmi3FreeFMUState)(void *c, void **state)
{
    (void)c;
    free(*state);
    *state = NULL;
    return OK;
}

EXPORT Status FN(fmi3SerializedFMUStateSize)(void *c, void *state, size_t *size)
{
    (void)c, (void)state;
    *size = sizeof(UnitState);
    return OK;
}

EXPORT Status FN(fmi3SerializeFMUState)(void *c, void *state, uint8_t bytes[], size_t size)
{
    (void)c;
    if (size < sizeof(UnitState)) return ERROR;
    memcpy(bytes, state, sizeof(UnitState));
    return OK;
}

EXPORT Status FN(fmi3DeserializeFMUState)(void *c, const uint8_t bytes[], size_t size, void **state)
{
    (void)c;
    if (size != sizeof(UnitState)) return ERROR;
    if (!*state) *state = malloc(sizeof(UnitState));
    if (!*state) return ERROR;
    memcpy(*state, bytes, sizeof(UnitState));
    return OK;
}

EXPORT Status FN(fmi3GetDirectionalDerivative)(void *c, const uint32_t unknowns[], size_t many, const uint32_t knowns[],
    size_t count, const double seed[], size_t seeds, double change[], size_t changes)
{
    Instance *one = c;
    if (seeds < count || changes < many) return ERROR;
    return told(one, unit_along(&one->unit, unknowns, many, knowns, count, seed, change), "there is no such derivative");
}

EXPORT Status FN(fmi3UpdateDiscreteStates)(void *c, bool *again, bool *terminate, bool *nominals, bool *values,
    bool *is_next, double *next)
{
    Instance *one = c;
    int moved = 0;
    const int failed = unit_event(&one->unit, &moved);
    *again = *nominals = *is_next = false;
    *next = 0.0;
    *terminate = one->unit.now.stopped != 0;
    *values = moved != 0;
    return told(one, failed, "the constraints cannot be met near this state");
}

EXPORT Status FN(fmi3CompletedIntegratorStep)(void *c, bool no_set, bool *enter, bool *terminate)
{
    (void)no_set;
    *enter = unit_drifts(&((Instance *)c)->unit) != 0;
    *terminate = false;
    return OK;
}

EXPORT Status FN(fmi3SetTime)(void *c, double time)
{
    Instance *one = c;
    one->unit.now.t = time;
    unit_touch(&one->unit);
    return OK;
}

EXPORT Status FN(fmi3SetContinuousStates)(void *c, const double y[], size_t n)
{
    Instance *one = c;
    if (n != UNIT_STATES) return told(one, 1, "fmi3SetContinuousStates: the number of states is another");
    memcpy(one->unit.now.y, y, sizeof one->unit.now.y);
    unit_touch(&one->unit);
    return OK;
}

EXPORT Status FN(fmi3GetContinuousStateDerivatives)(void *c, double dy[], size_t n)
{
    Instance *one = c;
    if (n != UNIT_STATES || unit_rates(&one->unit) != 0) return told(one, 1, "the accelerations are not determined");
    memcpy(dy, one->unit.dy, sizeof one->unit.dy);
    return OK;
}

EXPORT Status FN(fmi3GetEventIndicators)(void *c, double g[], size_t n)
{
    Instance *one = c;
    if (n == 0) return OK;
    return told(one, n != UNIT_EVENTS || unit_indicators(&one->unit, g) != 0, "event indicators have no value here");
}

EXPORT Status FN(fmi3GetContinuousStates)(void *c, double y[], size_t n)
{
    Instance *one = c;
    if (n != UNIT_STATES || unit_start(&one->unit) != 0) return told(one, 1, "there are no states");
    memcpy(y, one->unit.now.y, sizeof one->unit.now.y);
    return OK;
}

EXPORT Status FN(fmi3GetNominalsOfContinuousStates)(void *c, double nominals[], size_t n)
{
    (void)c;
    for (size_t k = 0; k < n; k++) nominals[k] = 1.0;
    return OK;
}

EXPORT Status FN(fmi3GetNumberOfEventIndicators)(void *c, size_t *n) { (void)c; *n = UNIT_EVENTS; return OK; }
EXPORT Status FN(fmi3GetNumberOfContinuousStates)(void *c, size_t *n) { (void)c; *n = UNIT_STATES; return OK; }

EXPORT Status FN(fmi3DoStep)(void *c, double time, double step, bool no_set, bool *events, bool *terminate, bool *early,
    double *last)
{
    Instance *one = c;
    (void)no_set;
    const int failed = unit_step(&one->unit, time + step);
    *events = false;
    *terminate = one->unit.now.stopped != 0;
    *early = one->early && *terminate && one->unit.now.t < time + step;
    *last = one->unit.now.t;
    return told(one, failed, "a step fails");
}

/* What the model has nothing for. */
#define NONE(name) EXPORT Status FN(name)(void) { return ERROR; }
EXPORT void *FN(fmi3InstantiateScheduledExecution)(void) { return NULL; }
NONE(fmi3GetFloat32) NONE(fmi3GetInt8) NONE(fmi3GetUInt8) NONE(fmi3GetInt16) NONE(fmi3GetUInt16) NONE(fmi3GetInt32)
NONE(fmi3GetUInt32) NONE(fmi3GetInt64) NONE(fmi3GetUInt64) NONE(fmi3GetBoolean) NONE(fmi3GetString) NONE(fmi3GetBinary)
NONE(fmi3GetClock) NONE(fmi3SetFloat32) NONE(fmi3SetInt8) NONE(fmi3SetUInt8) NONE(fmi3SetInt16) NONE(fmi3SetUInt16)
NONE(fmi3SetInt32) NONE(fmi3SetUInt32) NONE(fmi3SetInt64) NONE(fmi3SetUInt64) NONE(fmi3SetBoolean) NONE(fmi3SetString)
NONE(fmi3SetBinary) NONE(fmi3SetClock) NONE(fmi3GetNumberOfVariableDependencies) NONE(fmi3GetVariableDependencies)
NONE(fmi3GetAdjointDerivative) NONE(fmi3GetIntervalDecimal) NONE(fmi3GetIntervalFraction) NONE(fmi3GetShiftDecimal)
NONE(fmi3GetShiftFraction) NONE(fmi3SetIntervalDecimal) NONE(fmi3SetIntervalFraction) NONE(fmi3SetShiftDecimal)
NONE(fmi3SetShiftFraction) NONE(fmi3GetOutputDerivatives) NONE(fmi3ActivateModelPartition)
