package dev.chargehand.server.internal.api;

import dev.chargehand.RunHandle;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.run.RunId;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Operation;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.shape.ApiShapes;
import dev.chargehand.server.internal.shape.RunShapes;
import dev.chargehand.server.internal.shape.Shape;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.WaitingCall.WaitingFilter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The routes of calls that wait for an answer. */
final class ApprovalRoutes {

    private static final int REASON_LENGTH = 10_000;

    private final ServerState state;
    private final Owners owners;

    ApprovalRoutes(ServerState state, Owners owners) {
        this.state = state;
        this.owners = owners;
    }

    List<Route> routes() {
        Route.Access read = Route.Access.of(Scope.APPROVALS_READ);
        return List.of(
                new Route(
                        "GET",
                        "/api/v1/approvals",
                        read,
                        "List the calls that wait for an answer, oldest first",
                        Operation.ok(ApiShapes.APPROVALS)
                                .query("agent", Shape.TEXT, "The agent that makes the call.")
                                .query("tool", Shape.TEXT, "The tool that is called.")
                                .query(
                                        "resource",
                                        RunShapes.ID,
                                        "On whose behalf; default: the resource of the caller.")
                                .query("expiringBefore", Shape.TIME, "Expires before this time.")
                                .query("limit", Shape.whole(1, 200), "How many a page has; default 50.")
                                .query("after", Shape.TEXT, "The 'next' of the page before.")
                                .problems(Problem.BAD_CURSOR),
                        this::list),
                new Route(
                        "GET",
                        "/api/v1/approvals/{id}",
                        read,
                        "Return a call that waits for an answer",
                        Operation.ok(RunShapes.APPROVAL).problems(Problem.APPROVAL_UNKNOWN),
                        this::find),
                new Route(
                        "POST",
                        "/api/v1/approvals/{id}/answer",
                        Route.Access.of(Scope.APPROVALS_ANSWER),
                        "Answer a call",
                        Operation.ok(ApiShapes.ANSWERED)
                                .body(ApiShapes.ANSWER)
                                .problems(
                                        Problem.APPROVAL_UNKNOWN,
                                        Problem.ALREADY_DECIDED,
                                        Problem.ARGUMENTS_CHANGED,
                                        Problem.EXPIRED,
                                        Problem.DRAINING),
                        this::answer));
    }

    private Reply list(Call call) {
        Principal principal = call.principal();
        int limit = call.query("limit", 1, 200, 50);
        WaitingFilter all =
                Owners.waiting(Owners.resource(principal, call.query("resource").orElse(null)));
        all = call.query("agent").map(all::agent).orElse(all);
        all = call.query("tool").map(all::tool).orElse(all);
        all = call.instant("expiringBefore").map(all::expiresBefore).orElse(all);
        ApprovalCursors cursors = ApprovalCursors.of(principal, all);
        WaitingFilter from =
                call.query("after").map(cursors::parse).map(all::after).orElse(all);
        List<PendingApproval> found = state.runtime(principal).pendingApprovals(from.limit(limit + 1));
        List<PendingApproval> page = found.subList(0, Math.min(limit, found.size()));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("approvals", Views.approvals(page));
        if (found.size() > limit) {
            fields.put("next", cursors.after(page.getLast()));
        }
        return Reply.ok(fields);
    }

    private Reply find(Call call) {
        return Reply.ok(Views.approval(waiting(call).orElseThrow(ApprovalRoutes::unknown)));
    }

    private Reply answer(Call call) {
        Fields body = Fields.of(call.body(), ApiShapes.ANSWER);
        String digest = body.required("digest");
        ApprovalAnswer answer = answer(call.principal(), body);
        Optional<PendingApproval> waiting = waiting(call);
        if (waiting.isEmpty()) {
            return answeredBefore(call, answer);
        }
        PendingApproval pending = waiting.get();
        if (!pending.digest().equals(digest)) {
            throw Problem.ARGUMENTS_CHANGED.of("The digest is not that of the call's arguments; read the call again.");
        }
        try {
            RunHandle handle = state.runtime(call.principal()).answer(pending, answer, options -> {});
            return Reply.ok(Map.of("runId", handle.runId().value(), "answered", true));
        } catch (ApprovalException e) {
            boolean late =
                    e.kind() == ApprovalException.Kind.ALREADY_DECIDED || e.kind() == ApprovalException.Kind.UNKNOWN;
            if (late) { // another caller was faster
                return answeredBefore(call, answer);
            }
            throw e;
        }
    }

    private static ApprovalAnswer answer(Principal principal, Fields body) {
        Approver approver = Approver.of(principal.id(), principal.tenantId());
        Optional<String> reason = body.text("reason", REASON_LENGTH);
        String decision = body.required("decision");
        if (body.json("data").isPresent() && !decision.equals("data")) {
            throw body.problem("data", "belongs to the decision 'data'; the arguments of a call cannot be changed");
        }
        return switch (decision) {
            case "approve" -> ApprovalAnswer.approve(approver);
            case "decline" -> ApprovalAnswer.decline(approver, reason.orElse("Declined without a reason."));
            case "data" ->
                ApprovalAnswer.data(approver, body.json("data").orElseThrow(() -> body.problem("data", "is missing")));
            default -> throw body.problem("decision", "must be 'approve', 'decline' or 'data'");
        };
    }

    /** Return the first outcome to a caller that sends the same answer again, and reject another answer. */
    private Reply answeredBefore(Call call, ApprovalAnswer answer) {
        WaitingId id = WaitingId.parse(call.parameter("id")).orElseThrow(ApprovalRoutes::unknown);
        RunRecord run = run(call, id);
        ApprovalAnswer first = state.runtime(call.principal())
                .answerTo(run.runId(), id.callId(), id.waitNumber())
                .orElseThrow(ApprovalRoutes::unknown);
        if (!isSame(answer, first)) {
            throw Problem.ALREADY_DECIDED.of("The call was answered before.");
        }
        return Reply.ok(Map.of("runId", run.rootRunId().value(), "answered", true));
    }

    /** Data are compared by what they say: they may be written in another way. */
    private static boolean isSame(ApprovalAnswer answer, ApprovalAnswer first) {
        if (answer instanceof ApprovalAnswer.Data given && first instanceof ApprovalAnswer.Data before) {
            return given.approver().equals(before.approver())
                    && given.data().canonical().equals(before.data().canonical());
        }
        return answer.equals(first);
    }

    private Optional<PendingApproval> waiting(Call call) {
        WaitingId id = WaitingId.parse(call.parameter("id")).orElseThrow(ApprovalRoutes::unknown);
        RunRecord run = run(call, id);
        return state.runtime(call.principal()).handle(run.rootRunId()).pendingApprovals().stream()
                .filter(id::isOf)
                .findFirst();
    }

    private RunRecord run(Call call, WaitingId id) {
        return state.runtime(call.principal())
                .findRun(new RunId(id.runId()))
                .filter(run -> owners.owns(call.principal(), run))
                .orElseThrow(ApprovalRoutes::unknown);
    }

    private static ProblemException unknown() {
        return Problem.APPROVAL_UNKNOWN.of("There is no waiting call with this id.");
    }
}
