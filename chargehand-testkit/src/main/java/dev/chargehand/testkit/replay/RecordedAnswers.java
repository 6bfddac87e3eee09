package dev.chargehand.testkit.replay;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.testkit.ManualClock;
import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;

/** Answers what a replay waits for as it was answered when it was recorded, in the same order. */
final class RecordedAnswers {

    private final AgentRuntime runtime;
    private final Tracks tracks;
    private final ManualClock clock;

    RecordedAnswers(AgentRuntime runtime, Tracks tracks, ManualClock clock) {
        this.runtime = runtime;
        this.tracks = tracks;
        this.clock = clock;
    }

    /** What waits, and what was answered. */
    private record Answered(PendingApproval pending, Fact.CallDecided decided) {}

    /** Answer until the run ends, or wait for what was not answered then either. */
    RunResult answer(RunResult result) {
        RunResult now = result;
        while (now.status() == RunStatus.SUSPENDED) {
            Optional<Answered> next = now.pendingApprovals().stream()
                    .flatMap(pending -> decided(pending).map(decided -> new Answered(pending, decided)).stream())
                    .min(Comparator.comparing(answered -> answered.decided().at()));
            if (next.isEmpty()) {
                return now;
            }
            now = Replay.resultOf(() -> answer(next.get()));
        }
        return now;
    }

    private Optional<Fact.CallDecided> decided(PendingApproval pending) {
        Track played = tracks.played(pending.runId());
        Track recorded = tracks.recordedFor(played);
        return recorded.call(Tracks.placeIn(played, pending.callId()))
                .map(CallState::callId)
                .flatMap(callId -> recorded.decided(callId, pending.waitNumber()));
    }

    private RunResult answer(Answered answered) {
        Fact.CallDecided decided = answered.decided();
        PendingApproval pending = answered.pending();
        if (decided.answer() == CallAnswer.EXPIRED) {
            clock.advance(Duration.between(clock.now(), pending.expiresAt()).plusMillis(1));
            return runtime.resume(pending.rootRunId(), o -> {}).result();
        }
        Approver by = new Approver(Objects.requireNonNull(decided.approver()), decided.tenant());
        ApprovalAnswer answer =
                switch (decided.answer()) {
                    case APPROVED -> ApprovalAnswer.approve(by);
                    case DECLINED -> ApprovalAnswer.decline(by, Objects.requireNonNullElse(decided.reason(), ""));
                    case DATA -> ApprovalAnswer.data(by, decided.given().orElse(Json.of(null)));
                    case EXPIRED -> throw new IllegalStateException("answered above");
                    case DUE -> throw new IllegalStateException("a timer is no pending approval");
                };
        return runtime.answer(pending, answer, o -> {}).result();
    }
}
