package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What the file sets holds for its runs: providers, models to fall back to, limits, budgets, tools that run programs.
 */
class FileSettingsTest extends WithProvider {

    private static final String GATEWAY = """
            providers:
              gateway:
                baseUrl: ${GATEWAY_URL}
                key: ${GATEWAY_KEY}
                headers: { X-Team: "${TEAM:-crew}" }
            """;

    private Ran in(String file, String... arguments) throws IOException {
        Files.writeString(folder.resolve("chargehand.yaml"), file);
        return Ran.in(
                folder,
                Map.of(
                        "GATEWAY_URL",
                        provider.baseUrl(),
                        "GATEWAY_KEY",
                        "sk-never-to-be-seen",
                        "PATH",
                        System.getenv("PATH")),
                arguments);
    }

    private Ran run(String file) throws IOException {
        return in(file, "run", "Go");
    }

    private String onlyRun() {
        String listed = Ran.in(folder, "runs").out();
        return listed.substring(0, listed.indexOf(' '));
    }

    @Test
    void aProviderOfTheFileIsAskedWithItsKeyAndItsHeaders() throws IOException {
        provider.enqueue(Reply.text("Done."));

        Ran ran = run(GATEWAY + """
                model: gateway/some/model
                agents:
                  boss: { modelSettings: { temperature: 0.5, maxOutputTokens: 99, stopSequences: END } }
                """);

        assertThat(ran.exitCode()).isZero();
        ReceivedRequest request = provider.log().getFirst().request();
        assertThat(request.model()).isEqualTo("some/model");
        assertThat(request.header("authorization")).hasValue("Bearer sk-never-to-be-seen");
        assertThat(request.header("x-team")).hasValue("crew");
        assertThat(Json.parse(request.body()).at("/temperature")).hasValue(Json.of(0.5));
        assertThat(request.body()).contains("99", "END");
    }

    @Test
    void aModelThatFailsIsFollowedByTheNext() throws IOException {
        provider.enqueue(Reply.status(500), Reply.text("Done."));

        Ran ran = run(GATEWAY + """
                model: [gateway/first, gateway/second]
                agents:
                  boss: { retries: 0 }
                """);

        assertThat(ran.exitCode()).isZero();
        assertThat(provider.log())
                .extracting(exchange -> exchange.request().model())
                .containsExactly("first", "second");
    }

    @Test
    void limitsAndBudgetsHoldForARunWithAllBelowIt() throws IOException {
        String crew = """
                model: offline
                default: boss
                agents:
                  boss: { agents: [writer] }
                  writer: { description: Writes. }
                """;

        assertThat(run(crew).exitCode()).isZero();
        Ran limited = run(crew + "limits: { modelCalls: 2 }\n");
        assertThat(limited.exitCode()).isEqualTo(3);
        assertThat(limited.err()).contains("modelCalls");
        Ran poor = run(crew + "budget: { calls: 1 }\n");
        assertThat(poor.exitCode()).isEqualTo(3);
        assertThat(poor.err()).contains("budget");
        Ran costly = run(crew + "budget: { cost: 0.000001 }\nprices: { offline: { input: 1000, output: 1000 } }\n");
        assertThat(costly.exitCode()).isEqualTo(3);
        assertThat(costly.err()).contains("cost");
    }

    @Test
    void aProgramIsRunWhenItIsApproved() throws IOException {
        provider.enqueue(
                Reply.toolCalls(Reply.call("c1", "count", "{\"file\":\"notes.txt\"}")),
                Reply.text("It has three words."));
        Files.writeString(folder.resolve("notes.txt"), "one two three");
        String file = GATEWAY + """
                model: gateway/m
                tools:
                  count:
                    description: Counts the words of a file.
                    command: [wc, -w, --, "{file}"]
                    arguments: { file: { description: The file. } }
                agents:
                  boss: { tools: [count] }
                """;

        Ran waits = run(file);
        assertThat(waits.exitCode()).isEqualTo(4);
        assertThat(waits.err()).contains("waits for approval of count {\"file\":\"notes.txt\"}");
        String id = onlyRun();
        Ran done = in(file, "approve", id);

        assertThat(done.exitCode()).isZero();
        assertThat(done.out()).isEqualTo("It has three words." + System.lineSeparator());
        assertThat(provider.log().getLast().request().messages().getLast().text())
                .contains("3 notes.txt");
    }

    @Test
    void approvalsExpireWhenTheFileSaysSo() throws IOException {
        Ran ran = run("""
                model: offline
                approvals: { expiry: 5m }
                docs: .
                agents:
                  boss: { tools: [search-files], requireToolApproval: true }
                """);
        String id = onlyRun();

        assertThat(ran.exitCode()).isEqualTo(4);
        Json shown = Json.parse(Ran.in(folder, "show", id, "--json").out());
        String expiresAt =
                shown.at("/pending/0/expiresAt").flatMap(Json::string).orElseThrow();
        assertThat(Instant.parse(expiresAt)).isBefore(Instant.now().plus(Duration.ofMinutes(5)));
    }

    @Test
    void theKeyOfAProviderThatIsNotSetIsAskedForAndNothingElseNeedsIt() throws IOException {
        String file = """
                model: offline
                providers:
                  gateway: { baseUrl: "http://localhost:9/v1", key: "${NOT_SET}" }
                agents:
                  boss: {}
                  other: { model: gateway/m }
                default: boss
                """;

        assertThat(in(file, "run", "Go").exitCode()).isZero();
        Ran other = in(file, "run", "Go", "--agent", "other");
        assertThat(other.exitCode()).isEqualTo(2);
        assertThat(other.err()).contains("chargehand.yaml:3:", "the environment variable NOT_SET is not set");
    }
}
