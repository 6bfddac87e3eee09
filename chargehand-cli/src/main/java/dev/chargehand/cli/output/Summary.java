package dev.chargehand.cli.output;

import dev.chargehand.RunResult;
import dev.chargehand.completion.CompletionResult;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The line after every run. */
public enum Summary {

    /** Of a run that was started by itself: names it, by which it is found again. */
    OF_RUN,

    /** Of a turn in a conversation, whose thread is known. */
    OF_TURN;

    /** Whose usage a result has that is of no agent: that of recall. */
    private static final String MEMORY = "memory:";

    /**
     * Print how a run ended, or that it waits.
     *
     * @param duration since the start, without the time in which it waited for answers
     * @param waited the time in which it waited for answers
     */
    public void print(PrintWriter to, RunResult result, Duration duration, Duration waited) {
        if (result.status() != RunStatus.COMPLETED) {
            to.println("chargehand: " + Visible.line(reason(result), 2_000));
        }
        result.completion().ifPresent(completion -> completion(to, completion));
        String root = result.path().leaf();
        String tokens = result.usageByAgent().entrySet().stream()
                .filter(entry ->
                        !entry.getKey().equals(MEMORY) || entry.getValue().totalTokens() > 0)
                .sorted(Comparator.<Map.Entry<String, ?>, Boolean>comparing(
                                entry -> !entry.getKey().equals(root))
                        .thenComparing(Map.Entry::getKey))
                .map(entry -> name(entry.getKey()) + " " + Amounts.shortTokens(entry.getValue()))
                .collect(Collectors.joining(", "));
        to.println(result.status().name().toLowerCase(Locale.ROOT) + " in " + Amounts.seconds(duration)
                + (waited.isZero() ? "" : " and " + Amounts.seconds(waited) + " of waiting for answers") + ", "
                + Amounts.count(result.steps().size() + result.workflowSteps().size(), "step") + "; tokens in+out: "
                + (tokens.isEmpty() ? "none" : tokens)
                + switch (this) {
                    case OF_RUN -> "; run " + result.runId() + thread(result);
                    case OF_TURN -> "";
                });
        to.flush();
    }

    private static String name(String agentOrMemory) {
        return agentOrMemory.equals(MEMORY) ? "memory" : agentOrMemory;
    }

    private static String thread(RunResult result) {
        return result.threadId()
                .map(thread -> ", thread " + Visible.line(thread, 80))
                .orElse("");
    }

    /** How the last answer that was scored did; of scorers that failed, with what they said. */
    private static void completion(PrintWriter to, CompletionResult completion) {
        to.println((completion.complete() ? "task complete: " : "task not complete: ")
                + Visible.line(Amounts.scores(completion.scorers()), 2_000));
        completion.scorers().stream()
                .filter(scorer -> !scorer.passed())
                .forEach(scorer -> to.println("  " + Visible.line(scorer.scorer() + ": " + scorer.reason(), 2_000)));
    }

    private static String reason(RunResult result) {
        StopReason reason = result.stopReason();
        if (reason instanceof StopReason.Suspended && result.pendingApprovals().isEmpty()) {
            return "The run waits for a time.";
        }
        return reason instanceof StopReason.Failed failed
                ? "the run failed (" + failed.error() + "). " + failed.message() + Endings.provider(failed)
                        + (failed.retryable() ? " It may succeed if you try again." : "")
                : reason.explanation();
    }
}
