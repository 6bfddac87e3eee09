package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code chargehand check} and {@code chargehand agents} of a file that is right; MistakenFilesTest has the others. */
class CheckTest {

    @TempDir
    Path folder;

    @BeforeEach
    void agents() throws IOException {
        Files.createDirectory(folder.resolve("docs"));
        Files.writeString(folder.resolve("chargehand.yaml"), """
                model: ${MODEL:-offline}
                default: boss
                store: jdbc:postgresql://ann:s3cret@db/runs
                providers:
                  gateway: { baseUrl: "http://localhost:9/v1", key: "${GATEWAY_KEY}" }
                  open: { baseUrl: "http://localhost:9/v1" }
                tools:
                  date: { description: Tells the date., command: [date] }
                agents:
                  boss: { agents: [finder, writer] }
                  finder: { description: Finds., tools: [search-files, date], model: [openai/gpt-5-mini, open/a] }
                  writer: { description: Writes., agents: [finder], model: gateway/b }
                  alone: { requireToolApproval: true, tools: [search-files], memory: { semanticRecall: { model: gateway/e } } }
                """);
    }

    @Test
    void itSaysWhatAFileComesTo() {
        Ran ran = Ran.in(folder, Map.of("GATEWAY_KEY", "sk-never-to-be-seen"), "check");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out().lines())
                .containsExactly(
                        "chargehand.yaml: nothing is wrong; 4 agents, 1 tool of its own",
                        "  runs       boss",
                        "  documents  docs",
                        "  store      jdbc:postgresql://db/runs",
                        "  model      offline of boss, alone; a rule-based stand-in, needs no key",
                        "  model      openai/gpt-5-mini of finder; OPENAI_API_KEY is not set",
                        "  model      open/a of finder; needs no key",
                        "  model      gateway/b of writer; ${GATEWAY_KEY} is set",
                        "  recall     gateway/e of alone; ${GATEWAY_KEY} is set");
    }

    @Test
    void aCostBudgetNeedsThePricesOfAllModels() throws IOException {
        Path file = folder.resolve("chargehand.yaml");
        String text = Files.readString(file) + "budget: { cost: 2 }\nprices: { open/a: { input: 0, output: 0 } }\n";
        Files.writeString(file, text);

        Ran ran = Ran.in(folder, Map.of("GATEWAY_KEY", "sk-never-to-be-seen"), "check");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .contains("'cost' of 'budget': openai/gpt-5-mini has no price, so runs that may call it do not start")
                .contains("prices: { gateway/b: { input: 1.25, output: 10 } }")
                .doesNotContain("open/a", "offline");
    }

    private void refuses(String more, String... says) throws IOException {
        Path file = folder.resolve("other.yaml");
        Files.writeString(file, "model: offline\nagents: { boss: { } }\n" + more);
        Ran ran = Ran.in(folder, "check", "other.yaml");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains(says).hasLineCount(1);
        assertThat(ran.out()).isEmpty();
    }

    @Test
    void aStoreThatIsNoDatabaseIsFound() throws IOException {
        Files.writeString(folder.resolve("runs.txt"), "This is a text and no database.\n");
        refuses(
                "store: runs.txt\n",
                "other.yaml:3:8: the store",
                "runs.txt' is not a SQLite database; name another file");

        Files.writeString(folder.resolve("empty.db"), "");
        Files.writeString(folder.resolve("new.yaml"), "model: offline\nagents: { boss: { } }\nstore: empty.db\n");
        assertThat(Ran.in(folder, "check", "new.yaml").exitCode()).isZero();
    }

    @Test
    @DisabledOnOs(OS.WINDOWS) // which finds programs in more places
    void aMissingProgramIsFound() throws IOException {
        refuses(
                "tools:\n  say: { description: Says., command: [no-such-program-here, a] }\n",
                "other.yaml:4:40: the program 'no-such-program-here' of tool 'say' is in no folder of PATH");
        Files.writeString(folder.resolve("say.sh"), "echo hi\n");
        refuses(
                "tools:\n  say: { description: Says., command: [./say.sh] }\n",
                "other.yaml:4:40: the program './say.sh' of tool 'say' is no file in",
                "make the file executable");
        refuses("tools:\n  say: { description: Says., command: [docs/] }\n", "is no file in");

        assertThat(folder.resolve("say.sh").toFile().setExecutable(true)).isTrue();
        Files.writeString(
                folder.resolve("good.yaml"),
                "model: offline\nagents: { boss: { } }\n"
                        + "tools: { say: { description: Says., command: [./say.sh] } }\n");
        assertThat(Ran.in(folder, "check", "good.yaml").exitCode()).isZero();
    }

    @Test
    void whatServeRejectsIsFound() throws IOException {
        refuses("server: { host: 300.1.1.1 }\n", "other.yaml:3:17: 'host' of 'server' must be an address");
        refuses(
                "server: { host: 0.0.0.0 }\n",
                "other.yaml:3:17: 'host' of 'server' lets other machines",
                "--keys or --oidc");
        refuses(
                "server: { oidc: { issuer: login, audience: agents } }\n",
                "other.yaml:3:27: ",
                "must be an address such as https://login.example.com");
        refuses(
                "server: { oidc: { issuer: \"http://login.example.com\", audience: agents } }\n",
                "other.yaml:3:27: ",
                "http only on this machine");

        Files.writeString(folder.resolve("good.yaml"), """
                model: offline
                agents: { boss: { } }
                server: { host: 0.0.0.0, oidc: { issuer: "https://login.example.com", audience: agents } }
                """);
        assertThat(Ran.in(folder, "check", "good.yaml").exitCode()).isZero();
    }

    @Test
    void keysAreSaidToBeThereOrNotAndNeverShown() {
        Ran ran = Ran.in(folder, Map.of("OPENAI_API_KEY", "sk-never-to-be-seen"), "check");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out())
                .contains("; OPENAI_API_KEY is set", "; ${GATEWAY_KEY} is not set")
                .doesNotContain("sk-never", "s3cret");
    }

    @Test
    void whatOnlyTheEnvironmentMakesWrongIsSaidTogether() {
        Ran ran = Ran.in(folder, Map.of("MODEL", "opnai/large"), "check");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .contains("chargehand.yaml:1:8: no provider 'opnai' is known", "gateway, gemini, groq,")
                .hasLineCount(1);
    }

    @Test
    void theAgentsAreShownAsATree() {
        Ran ran = Ran.in(folder, "agents");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out().lines())
                .containsExactly(
                        "boss (default)  offline",
                        "  finder        openai/gpt-5-mini, then open/a  search-files, date (needs approval)  Finds.",
                        "  writer        gateway/b                                                            Writes.",
                        "    finder      openai/gpt-5-mini, then open/a  search-files, date (needs approval)  Finds.",
                        "alone           offline                         search-files (needs approval)");
    }

    @Test
    void eachAgentIsALineOfJson() {
        Ran ran = Ran.in(folder, "agents", "--json", "--config", "chargehand.yaml");

        assertThat(ran.out().lines().map(Json::parse))
                .extracting(agent -> agent.at("/id").flatMap(Json::string).orElseThrow())
                .containsExactly("boss", "finder", "writer", "alone");
        assertThat(Json.parse(ran.out().lines().skip(1).findFirst().orElseThrow())
                        .canonical())
                .isEqualTo(Json.parse("""
                        {"id": "finder", "default": false, "description": "Finds.",
                         "models": ["openai/gpt-5-mini", "open/a"], "agents": [], "workflows": [],
                         "tools": [{"name": "search-files", "approval": false}, {"name": "date", "approval": true}]}
                        """).canonical());
    }
}
