/* The interface FMI 2.0: model exchange and co-simulation. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#if defined _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif
#ifdef FMI2_FUNCTION_PREFIX
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define FN(name) JOIN(FMI2_FUNCTION_PREFIX, name)
#else
#define FN(name) name
#endif

typedef void *Component;
typedef int Boolean;
typedef enum { OK, WARNING, DISCARD, ERROR, FATAL, PENDING } Status;
typedef struct {
    void (*logger)(void *, const char *, Status, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(void *, Status);
    void *environment;
} Callbacks;
typedef struct {
    Boolean newDiscreteStatesNeeded, terminateSimulation, nominalsChanged, valuesChanged, nextEventTimeDefined;
    double nextEventTime;
} EventInfo;
typedef struct {
    Unit unit;
    Callbacks callbacks;
    char *name;
    double last;
} Instance;

static Status told(Instance *one, int failed, const char *what)
{
    if (!failed) return OK;
    if (one->callbacks.logger) {
        one->callbacks.logger(one->callbacks.environment, one->name, ERROR, "logStatusError", "%s: no answer here", what);
    }
    return ERROR;
}

EXPORT const char *FN(fmi2GetTypesPlatform)(void) { return "default"; }
EXPORT const char *FN(fmi2GetVersion)(void) { return "2.0"; }

EXPORT Status FN(fmi2SetDebugLogging)(Component c, Boolean on, size_t n, const char *const categories[])
{
    (void)c, (void)on, (void)n, (void)categories;
    return OK;
}

EXPORT Component FN(fmi2Instantiate)(const char *name, int kind, const char *guid, const char *resources,
    const Callbacks *callbacks, Boolean visible, Boolean logging)
{
    (void)kind, (void)resources, (void)visible, (void)logging;
    if (!guid || strcmp(guid, UNIT_TOKEN) != 0) return NULL;
    Instance *one = calloc(1, sizeof *one);
    if (!one) return NULL;
    const char *given = name ? name : "";
    one->name = malloc(strlen(given) + 1);
    if (!one->name) {
        free(one);
        return NULL;
    }
    strcpy(one->name, given);
    if (callbacks) one->callbacks = *callbacks;
    unit_reset(&one->unit);
    return one;
}

EXPORT void FN(fmi2FreeInstance)(Component c)
{
    Instance *one = c;
    if (one) free(one->name);
    free(one);
}

EXPORT Status FN(fmi2SetupExperiment)(Component c, Boolean is_tolerance, double tolerance, double start,
    Boolean is_stop, double stop)
{
    Instance *one = c;
    (void)is_stop, (void)stop;
    if (is_tolerance && tolerance > 0.0) one->unit.now.tolerance = tolerance;
    one->unit.now.t = start;
    return OK;
}

EXPORT Status FN(fmi2EnterInitializationMode)(Component c) { ((Instance *)c)->unit.now.starting = 1; return OK; }
EXPORT Status FN(fmi2ExitInitializationMode)(Component c)
{
    Instance *one = c;
    one->last = one->unit.now.t;
    const int failed = unit_start(&one->unit);
    one->unit.now.changed = 0;
    return told(one, failed, "the start");
}

EXPORT Status FN(fmi2Terminate)(Component c) { (void)c; return OK; }
EXPORT Status FN(fmi2Reset)(Component c) { unit_reset(&((Instance *)c)->unit); return OK; }

EXPORT Status FN(fmi2GetReal)(Component c, const unsigned at[], size_t n, double value[])
{
    Instance *one = c;
    for (size_t k = 0; k < n; k++) {
        if (unit_get(&one->unit, at[k], &value[k]) != 0) return told(one, 1, "fmi2GetReal");
    }
    return OK;
}

EXPORT Status FN(fmi2SetReal)(Component c, const unsigned at[], size_t n, const double value[])
{
    Instance *one = c;
    for (size_t k = 0; k < n; k++) {
        if (unit_set(&one->unit, at[k], value[k]) != 0) return told(one, 1, "fmi2SetReal");
    }
    return OK;
}

EXPORT Status FN(fmi2GetFMUstate)(Component c, void **state)
{
    if (!*state) *state = malloc(sizeof(UnitState));
    if (!*state) return ERROR;
    memcpy(*state, &((Instance *)c)->unit.now, sizeof(UnitState));
    return OK;
}

EXPORT Status FN(fmi2SetFMUstate)(Component c, void *state)
{
    Instance *one = c;
    memcpy(&one->unit.now, state, sizeof(UnitState));
    one->last = one->unit.now.t;
    unit_touch(&one->unit);
    return OK;
}

EXPORT Status FN(fmi2FreeFMUstate)(Component c, void **state)
{
    (void)c;
    free(*state);
    *state = NULL;
    return OK;
}

EXPORT Status FN(fmi2SerializedFMUstateSize)(Component c, void *state, size_t *size)
{
    (void)c, (void)state;
    *size = sizeof(UnitState);
    return OK;
}

EXPORT Status FN(fmi2SerializeFMUstate)(Component c, void *state, char bytes[], size_t size)
{
    (void)c;
    if (size < sizeof(UnitState)) return ERROR;
    memcpy(bytes, state, sizeof(UnitState));
    return OK;
}

EXPORT Status FN(fmi2DeSerializeFMUstate)(Component c, const char bytes[], size_t size, void **state)
{
    (void)c;
    if (size != sizeof(UnitState)) return ERROR;
    if (!*state) *state = malloc(sizeof(UnitState));
    if (!*state) return ERROR;
    memcpy(*state, bytes, sizeof(UnitState));
    return OK;
}

EXPORT Status FN(fmi2GetDirectionalDerivative)(Component c, const unsigned unknowns[], size_t many,
    const unsigned knowns[], size_t count, const double seed[], double change[])
{
    Instance *one = c;
    return told(one, unit_along(&one->unit, unknowns, many, knowns, count, seed, change), "a derivative");
}

EXPORT Status FN(fmi2EnterEventMode)(Component c) { (void)c; return OK; }
EXPORT Status FN(fmi2EnterContinuousTimeMode)(Component c) { (void)c; return OK; }

EXPORT Status FN(fmi2NewDiscreteStates)(Component c, EventInfo *info)
{
    Instance *one = c;
    int moved = 0;
    const int failed = unit_event(&one->unit, &moved);
    memset(info, 0, sizeof *info);
    info->terminateSimulation = one->unit.now.stopped;
    info->valuesChanged = moved;
    return told(one, failed, "an event");
}

EXPORT Status FN(fmi2CompletedIntegratorStep)(Component c, Boolean no_set, Boolean *enter, Boolean *terminate)
{
    (void)no_set;
    *enter = unit_drifts(&((Instance *)c)->unit);
    *terminate = 0;
    return OK;
}

EXPORT Status FN(fmi2SetTime)(Component c, double time)
{
    Instance *one = c;
    one->unit.now.t = time;
    unit_touch(&one->unit);
    return OK;
}

EXPORT Status FN(fmi2SetContinuousStates)(Component c, const double y[], size_t n)
{
    Instance *one = c;
    if (n != UNIT_STATES) return told(one, 1, "fmi2SetContinuousStates");
    memcpy(one->unit.now.y, y, sizeof one->unit.now.y);
    unit_touch(&one->unit);
    return OK;
}

EXPORT Status FN(fmi2GetDerivatives)(Component c, double dy[], size_t n)
{
    Instance *one = c;
    if (n != UNIT_STATES || unit_rates(&one->unit) != 0) return told(one, 1, "the accelerations");
    memcpy(dy, one->unit.dy, sizeof one->unit.dy);
    return OK;
}

EXPORT Status FN(fmi2GetEventIndicators)(Component c, double g[], size_t n)
{
    Instance *one = c;
    if (n == 0) return OK;
    return told(one, n != UNIT_EVENTS || unit_indicators(&one->unit, g) != 0, "event indicators");
}

EXPORT Status FN(fmi2GetContinuousStates)(Component c, double y[], size_t n)
{
    Instance *one = c;
    if (n != UNIT_STATES || unit_start(&one->unit) != 0) return told(one, 1, "the states");
    memcpy(y, one->unit.now.y, sizeof one->unit.now.y);
    return OK;
}

EXPORT Status FN(fmi2GetNominalsOfContinuousStates)(Component c, double nominals[], size_t n)
{
    (void)c;
    for (size_t k = 0; k < n; k++) nominals[k] = 1.0;
    return OK;
}

EXPORT Status FN(fmi2DoStep)(Component c, double time, double step, Boolean no_set)
{
    Instance *one = c;
    (void)no_set;
    const int failed = unit_step(&one->unit, time + step);
    one->last = one->unit.now.t;
    if (!failed && one->unit.now.stopped) return DISCARD;
    return told(one, failed, "a step");
}

EXPORT Status FN(fmi2GetRealStatus)(Component c, int kind, double *value)
{
    if (kind != 2) return DISCARD;
    *value = ((Instance *)c)->last;
    return OK;
}

EXPORT Status FN(fmi2GetBooleanStatus)(Component c, int kind, Boolean *value)
{
    if (kind != 3) return DISCARD;
    *value = ((Instance *)c)->unit.now.stopped;
    return OK;
}

/* What the model has nothing for. */
#define NONE(name) EXPORT Status FN(name)(void) { return ERROR; }
NONE(fmi2GetInteger) NONE(fmi2GetBoolean) NONE(fmi2GetString) NONE(fmi2SetInteger) NONE(fmi2SetBoolean) NONE(fmi2SetString)
NONE(fmi2SetRealInputDerivatives) NONE(fmi2GetRealOutputDerivatives) NONE(fmi2CancelStep) NONE(fmi2GetStatus)
NONE(fmi2GetIntegerStatus) NONE(fmi2GetStringStatus)
