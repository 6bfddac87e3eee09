package dev.chargehand.server.internal.wire;

import dev.chargehand.TenantRuntime;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.StoreException;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.run.RunId;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.WaitingId;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.route.ReadRun;
import dev.chargehand.store.RunRecord;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Answers of callers to waiting calls, which wires receive as parts of other requests. The approver is the caller. Thread-safe. */
public final class WireAnswers {

    private static final int REASON_LENGTH = 10_000;

    /** The schema of a decision. */
    public static final Json DECISION = Json.parse("""
            {"type":"object","properties":{"approved":{"type":"boolean"},"reason":{"type":"string"}},\
            "required":["approved"],"additionalProperties":false}""");

    private static final Set<String> PARTS = Set.of("approved", "reason");

    private static final Comparator<PendingApproval> ORDER =
            Comparator.comparing((PendingApproval call) -> call.runId().value()).thenComparing(PendingApproval::callId);

    private final WireRuns runs;

    /** Make it. */
    public WireAnswers(WireRuns runs) {
        this.runs = runs;
    }

    /**
     * Return the waiting call with an id.
     *
     * @throws ProblemException if there is none, or it was answered
     */
    public PendingApproval require(Principal principal, String id) {
        return find(principal, id).orElseThrow(WireAnswers::answered);
    }

    /**
     * Return the waiting call with an id; empty if it waits no longer.
     *
     * @throws ProblemException if it is of no run of the caller
     */
    public Optional<PendingApproval> find(Principal principal, String id) {
        WaitingId parsed = WaitingId.parse(id).orElseThrow(() -> unknown(id));
        RunRecord run = runs.runtime(principal)
                .findRun(new RunId(parsed.runId()))
                .filter(found -> runs.owners().owns(principal, found))
                .orElseThrow(() -> unknown(id));
        return waiting(principal, run.rootRunId()).stream().filter(parsed::isOf).findFirst();
    }

    /** Return the calls for which a root run and its nested runs wait; none if it was deleted just now, or the store has forgotten it. */
    public List<PendingApproval> waiting(Principal principal, RunId root) {
        try {
            return runs.runtime(principal).handle(root).pendingApprovals();
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.NOT_FOUND) {
                return List.of();
            }
            throw e;
        }
    }

    /**
     * Answer calls; this returns when the answers are stored. The client of a run gives results of its tools without the scope of approvers.
     * All requests answer the calls of a run in the same order: of those that have the same answers, the one that is ahead is rejected nowhere.
     */
    public void answer(Principal principal, Map<PendingApproval, ApprovalAnswer> given) {
        given.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(ORDER))
                .forEachOrdered(each -> answer(principal, each.getKey(), each.getValue()));
    }

    /**
     * Answer calls of a run, and let the request read it, even if it ends before its events are asked for.
     *
     * @return the run as it was before
     */
    public RunRecord answerToRead(Call call, RunId root, Map<PendingApproval, ApprovalAnswer> given) {
        return answerToRead(call, root, given, List.of());
    }

    /**
     * Answer calls of a run that the request reads then.
     *
     * @param said what the user says after the answers; the run receives it before them, since it may end after them
     */
    public RunRecord answerToRead(
            Call call, RunId root, Map<PendingApproval, ApprovalAnswer> given, List<Message> said) {
        if (said.stream().anyMatch(each -> !each.partsOf(Part.Image.class).isEmpty())) {
            throw Problem.BAD_REQUEST.of(
                    "A run that waits receives texts only; images are offered where a run starts.");
        }
        runs.reserveReader(call, root);
        RunRecord before = openToRead(call, root);
        for (Message each : said) {
            var unused = runs.runtime(call.principal()).tell(root, each.text());
        }
        answer(call.principal(), given);
        return before;
    }

    private RunRecord openToRead(Call call, RunId root) {
        TenantRuntime runtime = runs.runtime(call.principal());
        RunRecord run = runtime.findRun(root).orElseThrow(WireAnswers::answered);
        try {
            ReadRun.continued(call, runtime.handle(root));
        } catch (StoreException e) {
            throw e.kind() == StoreException.Kind.NOT_FOUND ? answered() : e; // it has ended just now
        }
        return run;
    }

    private void answer(Principal principal, PendingApproval pending, ApprovalAnswer answer) {
        boolean isOfClient = pending.isExternal()
                && pending.requester().filter(principal.id()::equals).isPresent();
        if (!isOfClient && !principal.has(Scope.APPROVALS_ANSWER)) {
            throw Problem.lacks(Scope.APPROVALS_ANSWER);
        }
        var unused = runs.runtime(principal).answer(pending, answer, options -> {});
    }

    /**
     * Return a decision of a caller. It has nothing else: a call that is approved is executed with the arguments that were shown, so others
     * in a decision would be lost.
     *
     * @param decision an object with {@code approved} and perhaps a {@code reason}
     */
    public static ApprovalAnswer decision(Principal principal, Body decision) {
        if (decision.json("approved").isEmpty()) {
            throw decision.problem("approved", "is missing: the call waits for an approval");
        }
        for (String name : decision.names()) {
            if (!PARTS.contains(name) && decision.json(name).isPresent()) {
                throw decision.problem(
                        name, "is not offered: a decision has 'approved' and 'reason', and changes no arguments");
            }
        }
        return decision(principal, decision.flag("approved"), decision.text("reason"));
    }

    /** Return a decision of a caller. */
    public static ApprovalAnswer decision(Principal principal, boolean approved, Optional<String> reason) {
        return approved
                ? ApprovalAnswer.approve(approver(principal))
                : ApprovalAnswer.decline(
                        approver(principal),
                        reason.filter(text -> !text.isBlank())
                                .map(text -> text.substring(0, Math.min(text.length(), REASON_LENGTH)))
                                .orElse("Declined without a reason."));
    }

    /** Return data of a caller. */
    public static ApprovalAnswer data(Principal principal, Json data) {
        return ApprovalAnswer.data(approver(principal), data);
    }

    private static Approver approver(Principal principal) {
        return Approver.of(principal.id(), principal.tenantId());
    }

    /** Return the problem of a call that waits no longer. */
    public static ProblemException answered() {
        return Problem.ALREADY_DECIDED.of("The call waits for no answer, or was answered before.");
    }

    static ProblemException unknown(String id) {
        return Problem.APPROVAL_UNKNOWN.of(
                "No call with the id '" + id + "' waits for this caller. Send the id that the call has in its run.");
    }
}
