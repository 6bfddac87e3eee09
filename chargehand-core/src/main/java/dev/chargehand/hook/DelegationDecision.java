package dev.chargehand.hook;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.run.RequestContext;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The decision of {@code onDelegationStart}. */
public sealed interface DelegationDecision {

    /** Let the delegation start. */
    static Proceed proceed() {
        return Proceed.UNCHANGED;
    }

    /** Reject the delegation: the sub-agent is not called, and the model gets a tool error with the reason. */
    static DelegationDecision reject(String reason) {
        return new Reject(reason);
    }

    /**
     * The delegation starts; what is null stays as it is.
     *
     * @param prompt the replacement of the sub-agent's prompt
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

        /** Return this decision with another prompt. */
        @CheckReturnValue
        public Proceed withPrompt(String value) {
            return new Proceed(value, instructions, maxSteps, requestContext);
        }

        /** Return this decision with instructions for the sub-agent, added to its own. */
        @CheckReturnValue
        public Proceed withInstructions(String value) {
            return new Proceed(prompt, value, maxSteps, requestContext);
        }

        /** Return this decision with a lower limit of steps, at least 1. */
        @CheckReturnValue
        public Proceed withMaxSteps(int value) {
            return new Proceed(prompt, instructions, value, requestContext);
        }

        /** Return this decision with values of the request for the sub-agent. */
        @CheckReturnValue
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
