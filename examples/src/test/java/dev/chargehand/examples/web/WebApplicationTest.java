package dev.chargehand.examples.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunStatus;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tool.Tool;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The samples of docs/embedding.md and docs/approval-inbox.md. */
@Timeout(60)
class WebApplicationTest {

    record Refund(String order) {}

    @TempDir
    Path folder;

    private final CountDownLatch refunded = new CountDownLatch(1);

    private Agent assistant(Script script) {
        Tool refund = Tool.builder("refund", "Refunds an order.")
                .input(Refund.class)
                .requiresApproval()
                .handler((in, context) -> {
                    refunded.countDown();
                    return "Refunded " + in.order();
                })
                .build();
        return Agent.builder("assistant")
                .model(script.modelFor("assistant"))
                .tools(refund)
                .build();
    }

    private static String ask(int port, String question) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/ask"))
                    .POST(BodyPublishers.ofString(question))
                    .build();
            return client.send(request, BodyHandlers.ofString()).body();
        }
    }

    @Test
    void theAnswerIsStreamedAndTheConversationRemembered() throws Exception {
        Script script =
                ScriptedModel.script().on("assistant").says("Hello Ann").then().says("Ann");
        try (WebApplication application = new WebApplication(assistant(script), folder.resolve("app.db"), 0)) {
            assertThat(ask(application.port(), "I am Ann"))
                    .contains("event: text\ndata: {\"text\":\"Hello Ann\"}\n\n")
                    .endsWith("event: end\ndata: {\"status\":\"COMPLETED\"}\n\n");

            ask(application.port(), "Who am I?");

            assertThat(script.requests().getLast().messages().toString()).contains("I am Ann", "Who am I?");
        }
    }

    @Test
    void anInboxInAnotherProcessAnswersAndTheApplicationContinues() throws Exception {
        Path store = folder.resolve("app.db");
        Script script = ScriptedModel.script()
                .on("assistant")
                .calls("refund", Map.of("order", "o-7"))
                .then()
                .says("Done");
        try (WebApplication application = new WebApplication(assistant(script), store, 0);
                AgentRuntime office = AgentRuntime.builder()
                        .store(JdbcStore.sqlite(store))
                        .providers()
                        .approverCheck((call, approver) -> approver.id().endsWith("@example.com"))
                        .build()) {
            assertThat(ask(application.port(), "Refund o-7")).endsWith("event: waits\ndata: {\"calls\":1}\n\n");

            ApprovalInbox inbox = new ApprovalInbox(office);
            PendingApproval call = inbox.waiting().getFirst();
            assertThat(call.arguments().text()).contains("o-7");
            assertThatThrownBy(() -> inbox.approve(call.rootRunId(), call.callId(), "other", "ann@example.com"))
                    .hasMessageContaining("reload the page");
            assertThatThrownBy(() -> inbox.approve(call.rootRunId(), call.callId(), call.digest(), "eve@example.org"))
                    .isInstanceOf(ApprovalException.class);

            inbox.approve(call.rootRunId(), call.callId(), call.digest(), "ann@example.com");

            refunded.await();
            assertThat(application.runtime().handle(call.rootRunId()).result().status())
                    .isEqualTo(RunStatus.COMPLETED);
            assertThat(inbox.waiting()).isEmpty();
        }
    }

    @Test
    void aDeclinedCallIsNotExecuted() throws Exception {
        Path store = folder.resolve("app.db");
        Script script = ScriptedModel.script()
                .on("assistant")
                .calls("refund", Map.of("order", "o-7"))
                .then()
                .says("Not possible");
        try (WebApplication application = new WebApplication(assistant(script), store, 0)) {
            ask(application.port(), "Refund o-7");
            ApprovalInbox inbox = new ApprovalInbox(application.runtime());
            PendingApproval call = inbox.waiting().getFirst();

            inbox.decline(call.rootRunId(), call.callId(), call.digest(), "ann@example.com", "Too late.");

            assertThat(application.runtime().handle(call.rootRunId()).result().text())
                    .isEqualTo("Not possible");
            assertThat(refunded.getCount()).isOne();
        }
    }
}
