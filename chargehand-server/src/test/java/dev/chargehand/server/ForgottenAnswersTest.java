package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers to a run that ends at once, with a store that forgets ended runs: the request that answers still reads it. */
@Timeout(300)
class ForgottenAnswersTest extends ServerFixture {

    private static final int ROUNDS = 25;

    /** The requests by which clients of a wire approve a call, and read what follows. */
    enum Answer {
        MASTRA_STREAM,
        MASTRA_WHOLE,
        MASTRA_RESUME,
        AI_SDK,
        AG_UI;

        HttpResponse<String> give(ForgottenAnswersTest test, ChargehandServer server, PendingApproval call) {
            String id = call.runId().value() + "." + call.callId() + "." + call.waitNumber();
            Map<String, Object> ofMastra = Map.of("runId", call.runId().value(), "toolCallId", call.callId());
            return switch (this) {
                case MASTRA_STREAM -> test.post(server, "/api/agents/clerk/approve-tool-call", ofMastra);
                case MASTRA_WHOLE -> test.post(server, "/api/agents/clerk/approve-tool-call-generate", ofMastra);
                case MASTRA_RESUME ->
                    test.post(
                            server,
                            "/api/agents/clerk/resume-stream",
                            Map.of(
                                    "runId",
                                    call.runId().value(),
                                    "toolCallId",
                                    call.callId(),
                                    "resumeData",
                                    Map.of("approved", true)));
                case AI_SDK ->
                    test.post(
                            server,
                            "/ai-sdk/clerk",
                            Map.of(
                                    "id",
                                    "t",
                                    "messages",
                                    List.of(Map.of(
                                            "id",
                                            "1",
                                            "role",
                                            "assistant",
                                            "parts",
                                            List.of(approvedPart(id, call))))));
                case AG_UI ->
                    test.post(
                            server,
                            "/ag-ui/clerk",
                            Map.of(
                                    "threadId",
                                    "t",
                                    "runId",
                                    "r",
                                    "messages",
                                    List.of(),
                                    "resume",
                                    List.of(Map.of(
                                            "interruptId",
                                            id,
                                            "status",
                                            "resolved",
                                            "payload",
                                            Map.of("approved", true)))));
            };
        }

        private static Map<String, Object> approvedPart(String id, PendingApproval call) {
            return Map.of(
                    "type",
                    "tool-pay",
                    "toolCallId",
                    call.callId(),
                    "state",
                    "approval-responded",
                    "approval",
                    Map.of("id", id, "approved", true));
        }
    }

    private PendingApproval waiting(ChargehandServer server, AgentRuntime runtime) {
        RunId run = new RunId(at(post(server, "/api/v1/agents/clerk/runs", prompt("Pay.")), "/runId"));
        while (runtime.handle(run).status() != RunStatus.SUSPENDED) {
            Thread.onSpinWait();
        }
        return runtime.handle(run).pendingApprovals().getFirst();
    }

    @ParameterizedTest
    @EnumSource
    void theRequestThatAnswersReadsTheRunToItsEnd(Answer answer) {
        for (int i = 0; i < ROUNDS; i++) {
            script.on("clerk").calls("pay", Map.of("amount", 7)).then().says("Paid.");
        }
        AgentRuntime runtime = runtime(InMemoryStore.create());
        ChargehandServer server = serve(runtime, builder -> builder.limit(ServerLimit.START_BURST, 10_000)
                .limit(ServerLimit.REQUEST_BURST, 10_000));
        for (int i = 0; i < ROUNDS; i++) {
            HttpResponse<String> read = answer.give(this, server, waiting(server, runtime));
            assertThat(read.statusCode()).as(i + ": " + read.body()).isEqualTo(200);
            assertThat(read.body()).contains("Paid.");
        }
    }
}
