package dev.chargehand.server.internal.wire;

import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.server.Principal;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Gives the results of tools that a client has executed to the calls that wait for them. A call is known by its id; only the principal that has
 * started the run answers it, and needs no scope but that of starting runs. Thread-safe.
 */
public final class ClientResults {

    /** The most results of a request. */
    public static final int MOST = 128;

    private static final int SEARCHED = 100;

    /** In how many runs calls are searched that were answered. */
    private static final int RECENT = 10;

    private final WireRuns runs;
    private final WireAnswers answers;

    /** Make it. */
    public ClientResults(WireRuns runs) {
        this.runs = runs;
        this.answers = new WireAnswers(runs);
    }

    /**
     * What a request continues, or has started.
     *
     * @param root the root run
     * @param before this run as it was before the answers; empty if it was started, since it may not be stored yet
     * @param calls the calls that were answered
     */
    public record Answered(RunId root, Optional<RunRecord> before, List<PendingApproval> calls) {

        /** Return what answers no call. */
        public static Answered started(RunId root) {
            return new Answered(root, Optional.empty(), List.of());
        }

        /** Return what answers calls of a run. */
        public static Answered continued(RunRecord before, List<PendingApproval> calls) {
            return new Answered(before.runId(), Optional.of(before), calls);
        }
    }

    /** Return the external calls on a thread that wait for their results from a caller, by their ids. */
    public Map<String, PendingApproval> waiting(Principal principal, String thread) {
        return open(principal, RunFilter.ROOTS.thread(thread)).stream()
                .map(root -> waiting(principal, root))
                .filter(calls -> !calls.isEmpty())
                .findFirst()
                .orElse(Map.of());
    }

    private Map<String, PendingApproval> waiting(Principal principal, RunId root) {
        Map<String, PendingApproval> calls = new LinkedHashMap<>();
        answers.waiting(principal, root).stream()
                .filter(pending -> isOf(principal, pending))
                .forEach(pending -> calls.put(pending.callId(), pending));
        return calls;
    }

    private static boolean isOf(Principal principal, PendingApproval pending) {
        return pending.isExternal()
                && pending.requester().filter(principal.id()::equals).isPresent();
    }

    /**
     * Answer calls. Of those that wait no longer the first result counts, so a client may send a request again that was cut between two results.
     *
     * @param thread the thread of the run, on which results of other calls are those of the agent's tools; empty if the client has none, then
     *     the calls are searched in the newest 100 runs of the agent that wait
     * @param results what the client's tools gave, by the ids of their calls
     */
    public Answered answer(Call call, Optional<String> thread, String agentId, Map<String, Json> results) {
        return answer(call, thread, agentId, results, List.of());
    }

    /**
     * Answer calls, and say something to the same run.
     *
     * @param thread the thread of the run; empty if the client has none
     * @param results what the client's tools gave, by the ids of their calls
     * @param said what the user says after the results
     */
    public Answered answer(
            Call call, Optional<String> thread, String agentId, Map<String, Json> results, List<Message> said) {
        Principal principal = call.principal();
        RunFilter filter = thread.map(RunFilter.ROOTS::thread).orElseGet(() -> ofAgent(principal, agentId));
        for (RunId root : open(principal, filter)) {
            Map<String, PendingApproval> waiting = waiting(principal, root);
            boolean isAny = !Collections.disjoint(waiting.keySet(), results.keySet());
            if (isAny && (thread.isPresent() || areOf(principal, root, waiting.keySet(), results.keySet()))) {
                return answer(call, root, waiting, results, said);
            }
        }
        boolean answered = found(principal, filter.limit(RECENT)).stream()
                .anyMatch(root -> !Collections.disjoint(asked(principal, root), results.keySet()));
        throw answered
                ? WireAnswers.answered()
                : WireAnswers.unknown(results.keySet().stream().findFirst().orElse(""));
    }

    private static RunFilter ofAgent(Principal principal, String agentId) {
        RunFilter filter = RunFilter.ROOTS.agent(agentId);
        Optional<String> resource = principal.resourceId().filter(id -> !principal.actsForAnyResource());
        return resource.map(filter::resource).orElse(filter);
    }

    /** Return the runs whose calls may wait, the newest first: also those that are executed, since other calls of them were answered just now. */
    private List<RunId> open(Principal principal, RunFilter filter) {
        return found(
                principal,
                filter.statuses(RunStatus.SUSPENDED, RunStatus.RUNNING).limit(SEARCHED));
    }

    private List<RunId> found(Principal principal, RunFilter filter) {
        return runs.runtime(principal).runs(filter).stream()
                .filter(run -> runs.owners().owns(principal, run))
                .map(RunRecord::runId)
                .toList();
    }

    private boolean areOf(Principal principal, RunId root, Set<String> waiting, Set<String> ids) {
        return waiting.containsAll(ids) || asked(principal, root).containsAll(ids);
    }

    /** Return the ids of all calls of a run that waited for their results from a caller; none if it was deleted just now. */
    private Set<String> asked(Principal principal, RunId root) {
        try {
            return runs.runtime(principal).history(root).stream()
                    .filter(RunEvent.ToolCallSuspended.class::isInstance)
                    .map(event -> ((RunEvent.ToolCallSuspended) event).approval())
                    .filter(pending -> isOf(principal, pending))
                    .map(PendingApproval::callId)
                    .collect(Collectors.toSet());
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.NOT_FOUND) {
                return Set.of();
            }
            throw e;
        }
    }

    /**
     * What a request gives to the run that waits for it.
     *
     * @param results what the client's tools gave, by the ids of their calls, which name their runs too; empty if the request starts a run
     * @param said what the user says after the results, to the same run
     */
    public record Given(Map<String, Json> results, List<Message> said) {}

    /** Return what a request gives: results that no call of the caller waits for are history if the user says something after them. */
    public Given given(Principal principal, Map<String, Json> results, List<Message> said) {
        boolean isHistory = !said.isEmpty() && !areWaiting(principal, results.keySet());
        return isHistory ? new Given(Map.of(), List.of()) : new Given(results, said);
    }

    private boolean areWaiting(Principal principal, Set<String> ids) {
        return ids.stream().anyMatch(id -> isWaiting(principal, id));
    }

    private boolean isWaiting(Principal principal, String id) {
        try {
            return answers.find(principal, id)
                    .filter(pending -> isOf(principal, pending))
                    .isPresent();
        } catch (ProblemException e) {
            return false; // it is of no run of the caller, such as one of another server
        }
    }

    /** Answer calls of a run whose ids name the run too, as {@link Outcome#waitingId} makes them. */
    public Answered answer(Call call, Given given) {
        Map<String, Json> results = given.results();
        Principal principal = call.principal();
        Map<String, PendingApproval> waiting = new LinkedHashMap<>();
        results.keySet().forEach(id -> answers.find(principal, id).ifPresent(pending -> waiting.put(id, pending)));
        if (waiting.isEmpty()) {
            throw WireAnswers.answered();
        }
        waiting.forEach((id, pending) -> {
            if (!isOf(principal, pending)) {
                throw WireAnswers.unknown(id);
            }
        });
        List<RunId> roots = waiting.values().stream()
                .map(PendingApproval::rootRunId)
                .distinct()
                .toList();
        if (roots.size() != 1) {
            throw Problem.BAD_REQUEST.of("The results of a request must belong to one run.");
        }
        return answer(call, roots.getFirst(), waiting, results, given.said());
    }

    private Answered answer(
            Call call,
            RunId root,
            Map<String, PendingApproval> waiting,
            Map<String, Json> results,
            List<Message> said) {
        Map<PendingApproval, ApprovalAnswer> given = given(call.principal(), waiting, results);
        return Answered.continued(answers.answerToRead(call, root, given, said), List.copyOf(given.keySet()));
    }

    /** Return the answers of a caller to the calls of a run that wait for its results; none to other calls. */
    public Map<PendingApproval, ApprovalAnswer> given(Principal principal, RunId root, Map<String, Json> results) {
        return results.isEmpty() ? Map.of() : given(principal, waiting(principal, root), results);
    }

    private static Map<PendingApproval, ApprovalAnswer> given(
            Principal principal, Map<String, PendingApproval> waiting, Map<String, Json> results) {
        Map<PendingApproval, ApprovalAnswer> given = new LinkedHashMap<>();
        waiting.forEach((id, pending) -> Optional.ofNullable(results.get(id))
                .ifPresent(result -> given.put(pending, WireAnswers.data(principal, result))));
        return given;
    }
}
