package dev.chargehand;

import dev.chargehand.approval.ApprovalSettings;
import dev.chargehand.delegation.DelegationSettings;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.run.Budget;
import dev.chargehand.run.BusyThread;
import dev.chargehand.run.Hook;
import dev.chargehand.run.HookPolicy;
import dev.chargehand.run.Limits;
import dev.chargehand.run.Prices;
import dev.chargehand.run.RunKind;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.run.TimeLimits;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The part of a run's options that is plain data: it is stored with the run and in force again when it is resumed.
 *
 * @param maxSteps the most steps; null for the default, 10 for a run that a caller starts and 5 for a delegation
 * @param toolCallConcurrency how many calls of one step run at once; default 10
 * @param retries how often a failed model call is made again; default 2
 * @param toolChoice how free the model is to call tools; default auto
 * @param activeTools the tools that are offered, by name; null for all
 * @param limits what the run and its descendants may do; default {@link Limits#DEFAULT}
 * @param timeLimits how long they wait for what; default {@link TimeLimits#DEFAULT}
 * @param budget what they may spend; default {@link Budget#NONE}
 * @param prices what models cost; default {@link Prices#NONE}
 * @param delegation how delegations go; default {@link DelegationSettings#DEFAULT}
 * @param approvals what waits for a human; default {@link ApprovalSettings#DEFAULT}
 * @param busyThread what becomes of the run if its thread is busy; default {@link BusyThread#QUEUE}
 * @param hookPolicies what the failure of a hook means, where it is not what {@link Hook#byDefault} says
 * @param modelSettings how models should answer; default {@link ModelSettings#DEFAULT}
 * @param metadata what the application wants to find again with the run; default empty
 * @param structuredOutput what the answer is to be; null for any text
 * @param kind how the steps are made; default {@link RunKind#ORDINARY}
 * @param maxProcessorRetries how many answers processors may have made again; null for the default, 1
 */
public record RunSettings(
        @Nullable Integer maxSteps,
        int toolCallConcurrency,
        int retries,
        ToolChoice toolChoice,
        @Nullable List<String> activeTools,
        Limits limits,
        TimeLimits timeLimits,
        Budget budget,
        Prices prices,
        DelegationSettings delegation,
        ApprovalSettings approvals,
        BusyThread busyThread,
        Map<Hook, HookPolicy> hookPolicies,
        ModelSettings modelSettings,
        Map<String, String> metadata,
        @Nullable StructuredOutput structuredOutput,
        RunKind kind,
        @Nullable Integer maxProcessorRetries) {

    /** Every setting at its default. */
    public static final RunSettings DEFAULT = new RunSettings(
            null,
            10,
            2,
            ToolChoice.auto(),
            null,
            Limits.DEFAULT,
            TimeLimits.DEFAULT,
            Budget.NONE,
            Prices.NONE,
            DelegationSettings.DEFAULT,
            ApprovalSettings.DEFAULT,
            BusyThread.QUEUE,
            Map.of(),
            ModelSettings.DEFAULT,
            Map.of(),
            null,
            RunKind.ORDINARY,
            null);

    public RunSettings {
        Objects.requireNonNull(toolChoice, "toolChoice");
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(timeLimits, "timeLimits");
        Objects.requireNonNull(budget, "budget");
        Objects.requireNonNull(prices, "prices");
        Objects.requireNonNull(delegation, "delegation");
        Objects.requireNonNull(approvals, "approvals");
        Objects.requireNonNull(busyThread, "busyThread");
        Objects.requireNonNull(modelSettings, "modelSettings");
        activeTools = activeTools == null ? null : List.copyOf(activeTools);
        hookPolicies = Map.copyOf(hookPolicies);
        hookPolicies.forEach(RunSettings::requireAllowed);
        metadata = Map.copyOf(metadata);
        kind = Objects.requireNonNullElse(kind, RunKind.ORDINARY); // as what was stored before there were others
    }

    /** Returns these settings with others for approvals. */
    public RunSettings withApprovals(ApprovalSettings value) {
        return new RunSettings(
                maxSteps,
                toolCallConcurrency,
                retries,
                toolChoice,
                activeTools,
                limits,
                timeLimits,
                budget,
                prices,
                delegation,
                value,
                busyThread,
                hookPolicies,
                modelSettings,
                metadata,
                structuredOutput,
                kind,
                maxProcessorRetries);
    }

    /** Returns these settings for a run of another kind. */
    public RunSettings withKind(RunKind value) {
        return new RunSettings(
                maxSteps,
                toolCallConcurrency,
                retries,
                toolChoice,
                activeTools,
                limits,
                timeLimits,
                budget,
                prices,
                delegation,
                approvals,
                busyThread,
                hookPolicies,
                modelSettings,
                metadata,
                structuredOutput,
                value,
                maxProcessorRetries);
    }

    /** Returns how many answers of the run processors may have made again. */
    public int processorRetries() {
        return maxProcessorRetries == null ? 1 : maxProcessorRetries;
    }

    /** Returns what the failure of a hook means. */
    public HookPolicy policyOf(Hook hook) {
        return hookPolicies.getOrDefault(hook, hook.byDefault());
    }

    private static void requireAllowed(Hook hook, HookPolicy policy) {
        if (!hook.allows(policy)) {
            throw new ConfigurationException("The failure of hook '" + hook.key() + "' cannot mean " + policy
                    + "; allowed are "
                    + Arrays.stream(HookPolicy.values())
                            .filter(hook::allows)
                            .map(HookPolicy::name)
                            .collect(Collectors.joining(", "))
                    + ".");
        }
    }
}
