package dev.chargehand.background;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.text.TimeBound;
import dev.chargehand.run.TimeLimit;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which sub-agents and workflows of an agent may be background tasks, and how long and how often a task is tried. Immutable.
 *
 * <p>It holds for the root runs of the agent itself; its sub-agents have options of their own.
 */
@Experimental
public final class BackgroundOptions {

    private final Map<String, Disposition> agents;
    private final Map<String, Disposition> workflows;
    private final Disposition others;
    private final @Nullable Duration timeout;
    private final int retries;
    private final OnEnd onEnd;
    private final @Nullable Consumer<TaskEndContext> onTaskEnd;

    private BackgroundOptions(Builder builder) {
        this.agents = Map.copyOf(builder.agents);
        this.workflows = Map.copyOf(builder.workflows);
        this.others = builder.others;
        this.timeout = builder.timeout;
        this.retries = builder.retries;
        this.onEnd = builder.onEnd;
        this.onTaskEnd = builder.onTaskEnd;
    }

    /** Create a builder; nothing may be a task. */
    public static Builder builder() {
        return new Builder();
    }

    /** Return who decides about delegations to a sub-agent. */
    public Disposition ofAgent(String key) {
        return agents.getOrDefault(key, others);
    }

    /** Return who decides about calls of a workflow. */
    public Disposition ofWorkflow(String key) {
        return workflows.getOrDefault(key, others);
    }

    /** Return the keys of the sub-agents that were named. */
    public Set<String> agentKeys() {
        return agents.keySet();
    }

    /** Return the keys of the workflows that were named. */
    public Set<String> workflowKeys() {
        return workflows.keySet();
    }

    /** Return who decides about calls of sub-agents and workflows that were not named. */
    public Disposition ofOthers() {
        return others;
    }

    /** Return the active time of a task after which it is stopped, or null for the default of {@code taskTime}. */
    public @Nullable Duration timeout() {
        return timeout;
    }

    /** Return how many attempts may follow one that failed or took too long. */
    public int retries() {
        return retries;
    }

    /** Return what follows the end of a task whose run has ended. */
    public OnEnd onEnd() {
        return onEnd;
    }

    /** Return what observes the ends of tasks, or null. */
    public @Nullable Consumer<TaskEndContext> onTaskEnd() {
        return onTaskEnd;
    }

    /** Return whether some call may be a task. */
    public boolean isUsed() {
        return others != Disposition.NEVER
                || !Set.of(Disposition.NEVER).containsAll(agents.values())
                || !Set.of(Disposition.NEVER).containsAll(workflows.values());
    }

    /** Builds {@link BackgroundOptions}. Not thread-safe. */
    public static final class Builder {
        private final Map<String, Disposition> agents = new LinkedHashMap<>();
        private final Map<String, Disposition> workflows = new LinkedHashMap<>();
        private Disposition others = Disposition.NEVER;
        private @Nullable Duration timeout;
        private int retries;
        private OnEnd onEnd = OnEnd.WAIT;
        private @Nullable Consumer<TaskEndContext> onTaskEnd;

        private Builder() {}

        /** Let the model delegate to these sub-agents in the background. */
        public Builder agents(String... keys) {
            for (String key : keys) {
                agent(key, Disposition.MODEL);
            }
            return this;
        }

        /** Set who decides about delegations to a sub-agent. */
        public Builder agent(String key, Disposition disposition) {
            agents.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(disposition, "disposition"));
            return this;
        }

        /** Let the model call these workflows in the background. */
        public Builder workflows(String... keys) {
            for (String key : keys) {
                workflow(key, Disposition.MODEL);
            }
            return this;
        }

        /** Set who decides about calls of a workflow. */
        public Builder workflow(String key, Disposition disposition) {
            workflows.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(disposition, "disposition"));
            return this;
        }

        /** Let the model decide about all sub-agents and workflows that are not named. Default: none of them. */
        public Builder all() {
            this.others = Disposition.MODEL;
            return this;
        }

        /**
         * Set the active time of a task after which it is stopped. Default: 15 minutes, the time limit {@code taskTime}.
         *
         * @throws ConfigurationException if it is not above zero, or longer than {@link TimeLimit#LONGEST}
         */
        public Builder timeout(Duration value) {
            this.timeout = TimeBound.aboveZero("The timeout of background tasks", value, ConfigurationException::new);
            return this;
        }

        /**
         * Set how many attempts may follow one that failed with a retryable error or took too long: the first after 1 s, then
         * after twice as long each time, up to 30 s. Default: 0.
         *
         * @throws ConfigurationException if it is not from 0 to 10
         */
        public Builder retries(int value) {
            if (value < 0 || value > 10) {
                throw new ConfigurationException(
                        "The retries of background tasks are from 0 to 10, but were " + value + ".");
            }
            this.retries = value;
            return this;
        }

        /**
         * Set what follows the end of a task whose run has ended, of runs that are not until-idle calls: these always continue. The
         * option {@link dev.chargehand.RunOptions.Builder#onEnd} of a call replaces it. Default: {@link OnEnd#WAIT}.
         */
        public Builder onEnd(OnEnd value) {
            this.onEnd = Objects.requireNonNull(value, "value");
            return this;
        }

        /**
         * Observe the ends of tasks, each once if its process does not die meanwhile; in the process in which the task ended and
         * that has the agent, after the end is stored. So it may be called after {@code cancel} has returned, and after others have the result
         * of the task. An exception of the observer is reported as a hook error. Default: none.
         */
        public Builder onTaskEnd(Consumer<TaskEndContext> observer) {
            this.onTaskEnd = Objects.requireNonNull(observer, "observer");
            return this;
        }

        /** Build the options. */
        public BackgroundOptions build() {
            return new BackgroundOptions(this);
        }
    }
}
