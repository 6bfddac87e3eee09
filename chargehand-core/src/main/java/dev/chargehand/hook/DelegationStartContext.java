package dev.chargehand.hook;

import dev.chargehand.json.Json;

/** A delegation that is about to start. The prompt is the one that the supervisor's model wrote. */
public interface DelegationStartContext extends DelegationContext {

    /** Return the arguments of the call as the model wrote them. */
    Json arguments();
}
