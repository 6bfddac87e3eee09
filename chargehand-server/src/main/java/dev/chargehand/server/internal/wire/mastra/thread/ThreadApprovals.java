package dev.chargehand.server.internal.wire.mastra.thread;

import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.server.Principal;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.RootCalls;
import dev.chargehand.server.internal.wire.WireAnswers;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.store.RunRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Answers calls that wait on a thread, for clients that read what follows in the stream of the thread. Thread-safe. */
public final class ThreadApprovals {

    private final WireRuns runs;
    private final ThreadRuns found;
    private final WireAnswers answers;

    /** Make it. */
    public ThreadApprovals(WireRuns runs, ThreadRuns found) {
        this.runs = runs;
        this.found = found;
        this.answers = new WireAnswers(runs);
    }

    /**
     * Answer the call that a request names, or the calls whose results the client sends. With results nothing is decided: a client sends them by
     * itself, with {@code approved} and the id of the first call of the run, which may be one that waits for a human.
     */
    public Reply answer(Call call) {
        Principal principal = call.principal();
        var unused = runs.agent(principal, call.parameter("id"));
        Body body = Body.of(call.body());
        String callId = body.requiredId("toolCallId");
        Map<String, Json> results = results(body);
        for (RunRecord run : found.waiting(call, found.place(call, body))) {
            List<PendingApproval> waiting = answers.waiting(principal, run.runId());
            Map<PendingApproval, ApprovalAnswer> all = results.isEmpty()
                    ? decided(principal, body, run.runId(), waiting, callId)
                    : given(principal, waiting, results); // all is checked before one is stored
            if (!all.isEmpty()) {
                answers.answer(principal, all);
                return Reply.ok(Map.of("accepted", true, "runId", run.runId().value(), "toolCallId", callId));
            }
        }
        throw Problem.ALREADY_DECIDED.of("No call with this id waits on the thread, or it was answered before.");
    }

    private static Map<PendingApproval, ApprovalAnswer> given(
            Principal principal, List<PendingApproval> waiting, Map<String, Json> results) {
        Map<PendingApproval, ApprovalAnswer> given = new LinkedHashMap<>();
        waiting.stream().filter(PendingApproval::isExternal).forEach(each -> Optional.ofNullable(
                        results.get(each.callId()))
                .ifPresent(result -> given.put(each, WireAnswers.data(principal, result))));
        return given;
    }

    private Map<PendingApproval, ApprovalAnswer> decided(
            Principal principal, Body body, RunId root, List<PendingApproval> waiting, String callId) {
        return named(principal, root, waiting, callId)
                .map(pending -> Map.of(pending, answer(principal, body, pending)))
                .orElse(Map.of());
    }

    /** Return the call that an id names: its own, or that of the delegation in which it waits. */
    private Optional<PendingApproval> named(
            Principal principal, RunId root, List<PendingApproval> waiting, String callId) {
        Optional<PendingApproval> own =
                waiting.stream().filter(each -> each.callId().equals(callId)).findFirst();
        if (own.isPresent() || waiting.isEmpty()) {
            return own;
        }
        RootCalls callers = new RootCalls(root);
        runs.runtime(principal).history(root).forEach(callers::note);
        List<PendingApproval> below = waiting.stream()
                .filter(each -> callers.of(each.runId()).filter(callId::equals).isPresent())
                .toList();
        if (below.size() > 1) {
            throw Problem.BAD_REQUEST.of("Several calls wait in this delegation; send the id of one of them.");
        }
        return below.stream().findFirst();
    }

    private static ApprovalAnswer answer(Principal principal, Body body, PendingApproval pending) {
        if (pending.isExternal()) {
            throw body.problem("messages", "must have the result of the call");
        }
        if (pending.kind() == PendingApproval.Kind.DATA) {
            return WireAnswers.data(
                    principal, body.json("resumeData").orElseThrow(() -> body.problem("resumeData", "is missing")));
        }
        if (body.json("approved").isEmpty()) {
            throw body.problem("approved", "is missing");
        }
        return WireAnswers.decision(principal, body.flag("approved"), body.text("reason"));
    }

    /** Return the results that a client's tools gave, by the ids of their calls; a client sends each with its call in one message. */
    private static Map<String, Json> results(Body body) {
        Map<String, Json> results = new LinkedHashMap<>();
        for (Body message : body.objects("messages")) {
            if (message.json("content").flatMap(Json::string).isPresent()) {
                continue;
            }
            for (Body part : message.objects("content")) {
                if (part.text("type").filter("tool-result"::equals).isPresent()) {
                    results.put(part.requiredId("toolCallId"), result(part));
                }
            }
        }
        return results;
    }

    private static Json result(Body part) {
        Optional<Json> output = part.json("output");
        return output.filter(Json::isObject)
                .flatMap(each -> Body.of(each).json("value"))
                .or(() -> output)
                .or(() -> part.json("result"))
                .orElse(Json.of(null));
    }
}
