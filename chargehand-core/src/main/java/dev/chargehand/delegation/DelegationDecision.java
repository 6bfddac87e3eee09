package dev.chargehand.delegation;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.run.RequestContext;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What {@code onDelegationStart} decides. */
public sealed interface DelegationDecision {

    /** Lets the delegation begin. */
    static Proceed proceed() {
        return Proceed.UNCHANGED;
    }

    /** Refuses the delegation: the sub-agent is not called, and the model gets a tool error with the reason. */
    static DelegationDecision reject(String reason) {
        return new Reject(reason);
    }

    /**
     * The delegation begins; what is null stays as it is.
     *
     * @param prompt what the sub-agent is asked for instead
     * @param instructions appended to the sub-agent's own instructions, as the developer's
     * @param maxSteps the most steps; it can only lower the sub-agent's own limit
     * @param requestContext values of the request for the sub-agent, merged over those of the supervisor
     */
    record Proceed(
            @Nullable String prompt,
            @Nullable String instructions,
            @Nullable Integer maxSteps,
            @Nullable RequestContext requestContext)
            implements DelegationDecision {

        private static final Proceed UNCHANGED = new Proceed(null, null, null, null);

        public Proceed {
            if (maxSteps != null && maxSteps < 1) {
                throw new ConfigurationException("A delegation needs at least 1 step, but got " + maxSteps + ".");
            }
        }

        /** Returns this decision with another prompt. */
        public Proceed withPrompt(String value) {
            return new Proceed(value, instructions, maxSteps, requestContext);
        }

        /** Returns this decision with instructions for the sub-agent, added to its own. */
        public Proceed withInstructions(String value) {
            return new Proceed(prompt, value, maxSteps, requestContext);
        }

        /** Returns this decision with a lower limit of steps, at least 1. */
        public Proceed withMaxSteps(int value) {
            return new Proceed(prompt, instructions, value, requestContext);
        }

        /** Returns this decision with values of the request for the sub-agent. */
        public Proceed withRequestContext(RequestContext value) {
            return new Proceed(prompt, instructions, maxSteps, value);
        }
    }

    /** The sub-agent is not called. */
    record Reject(String reason) implements DelegationDecision {
        public Reject {
            Objects.requireNonNull(reason, "A rejection needs a reason.");
        }
    }
}
