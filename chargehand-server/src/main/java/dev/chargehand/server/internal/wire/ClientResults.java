package dev.chargehand.server.internal.wire;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.server.Principal;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives the results of tools that a client has executed to the calls that wait for them. A call is known by its id; only the principal that has
 * started the run answers it, and needs no scope but that of starting runs. Thread-safe.
 */
public final class ClientResults {

    /** The most results of a request. */
    public static final int MOST = 128;

    private static final int SEARCHED = 100;

    private final WireRuns runs;
    private final WireAnswers answers;

    /** Make it. */
    public ClientResults(WireRuns runs) {
        this.runs = runs;
        this.answers = new WireAnswers(runs);
    }

    /** What was answered: the root run, and the calls. */
    public record Answered(RunId root, List<PendingApproval> calls) {}

    /** Return the suspended run that a thread waits for; empty if it waits for none. */
    public Optional<RunId> inThread(Principal principal, String thread) {
        return runs
                .runtime(principal)
                .runs(RunFilter.ROOTS
                        .thread(thread)
                        .statuses(RunStatus.SUSPENDED)
                        .limit(SEARCHED))
                .stream()
                .filter(run -> runs.owners().owns(principal, run))
                .map(RunRecord::runId)
                .findFirst();
    }

    /** Return the external calls of a run that wait for their results from a caller, by their ids. */
    public Map<String, PendingApproval> waiting(Principal principal, RunId root) {
        Map<String, PendingApproval> calls = new LinkedHashMap<>();
        for (PendingApproval pending : answers.waiting(principal, root)) {
            if (pending.isExternal()
                    && pending.requester().filter(principal.id()::equals).isPresent()) {
                calls.put(pending.callId(), pending);
            }
        }
        return calls;
    }

    /**
     * Answer calls.
     *
     * @param thread the thread of the run; empty if the client has none, then the calls are searched in the newest 100 runs of the agent that
     *     wait
     * @param results what the client's tools gave, by the ids of their calls
     */
    public Answered answer(Call call, Optional<String> thread, String agentId, Map<String, Json> results) {
        Principal principal = call.principal();
        List<RunId> candidates = thread.isPresent()
                ? inThread(principal, thread.get()).stream().toList()
                : suspended(principal, agentId);
        for (RunId root : candidates) {
            Map<String, PendingApproval> waiting = waiting(principal, root);
            if (!results.isEmpty() && waiting.keySet().containsAll(results.keySet())) {
                return answer(call, root, waiting, results);
            }
        }
        throw unknown();
    }

    private List<RunId> suspended(Principal principal, String agentId) {
        RunFilter filter =
                RunFilter.ROOTS.statuses(RunStatus.SUSPENDED).agent(agentId).limit(SEARCHED);
        Optional<String> resource = principal.resourceId().filter(id -> !principal.actsForAnyResource());
        return runs.runtime(principal).runs(resource.isPresent() ? filter.resource(resource.get()) : filter).stream()
                .filter(run -> runs.owners().owns(principal, run))
                .map(RunRecord::runId)
                .toList();
    }

    /** Answer calls of a run whose ids name the run too, as {@link Outcome#waitingId} makes them. */
    public Answered answer(Call call, Map<String, Json> results) {
        Principal principal = call.principal();
        Map<String, PendingApproval> waiting = new LinkedHashMap<>();
        for (String id : results.keySet()) {
            PendingApproval pending = answers.require(principal, id);
            if (!pending.isExternal()
                    || pending.requester().filter(principal.id()::equals).isEmpty()) {
                throw unknown();
            }
            waiting.put(id, pending);
        }
        List<RunId> roots = waiting.values().stream()
                .map(PendingApproval::rootRunId)
                .distinct()
                .toList();
        if (roots.size() != 1) {
            throw Problem.BAD_REQUEST.of("The results of a request must belong to one run.");
        }
        return answer(call, roots.getFirst(), waiting, results);
    }

    private Answered answer(Call call, RunId root, Map<String, PendingApproval> waiting, Map<String, Json> results) {
        runs.reserveReader(call, root);
        List<PendingApproval> calls = new ArrayList<>();
        results.forEach((id, result) -> {
            PendingApproval pending = waiting.get(id);
            if (pending != null) {
                answers.answer(call.principal(), pending, WireAnswers.data(call.principal(), result));
                calls.add(pending);
            }
        });
        return new Answered(root, calls);
    }

    private static ProblemException unknown() {
        return Problem.APPROVAL_UNKNOWN.of("No call with this id waits for a result of this caller.");
    }
}
