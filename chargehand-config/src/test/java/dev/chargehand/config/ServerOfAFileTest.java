package dev.chargehand.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.document.DocumentException;
import dev.chargehand.document.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a file says of the server of its agents. */
class ServerOfAFileTest {

    @TempDir
    Path folder;

    private ServerSettings server(String server) throws IOException {
        Path file = Files.writeString(
                folder.resolve("crew.yaml"), "agents: { writer: { instructions: Write. } }\n" + server);
        return AgentsFileReader.read(file, "crew.yaml", Set.of()).server();
    }

    @Test
    void everyKeyIsRead() throws IOException {
        ServerSettings server = server("""
                server:
                  host: 0.0.0.0
                  port: 0
                  names: [ agents.example.com ]
                  binding: jdk
                  keys: "${KEYS:-keys.json}"
                  oidc: { issuer: "https://login.example.com", audience: agents, tenantClaim: org }
                  contextKeys: [ locale ]
                  selectableVersions: [ writer ]
                  selectableModels: [ openai/gpt-5-mini ]
                  wires: [ openai, ai-sdk ]
                  resumable: [ ai-sdk ]
                  answers: live
                  limits: { bodyBytes: 5000000000, streams: 1 }
                  timeLimits: { drain: 2m }
                """);
        assertThat(server.host()).map(Setting::text).hasValue("0.0.0.0");
        assertThat(server.port()).hasValue(0);
        assertThat(server.names()).extracting(Setting::text).containsExactly("agents.example.com");
        assertThat(server.binding()).hasValue("jdk");
        assertThat(server.keys()).map(Setting::text).hasValue("${KEYS:-keys.json}");
        assertThat(server.oidc()).hasValueSatisfying(oidc -> {
            assertThat(oidc.issuer().text()).isEqualTo("https://login.example.com");
            assertThat(oidc.audience().text()).isEqualTo("agents");
            assertThat(oidc.tenantClaim()).extracting(Setting::text).isEqualTo("org");
            assertThat(oidc.resourceClaim()).isNull();
            assertThat(oidc.scopesClaim()).isNull();
        });
        assertThat(server.contextKeys()).extracting(Setting::text).containsExactly("locale");
        assertThat(server.selectableVersions()).extracting(Setting::text).containsExactly("writer");
        assertThat(server.selectableModels()).extracting(Setting::text).containsExactly("openai/gpt-5-mini");
        assertThat(server.wires())
                .hasValueSatisfying(
                        wires -> assertThat(wires).extracting(Setting::text).containsExactly("openai", "ai-sdk"));
        assertThat(server.resumable()).extracting(Setting::text).containsExactly("ai-sdk");
        assertThat(server.answers()).hasValue("live");
        assertThat(server.limits()).isEqualTo(Map.of("bodyBytes", 5_000_000_000L, "streams", 1L));
        assertThat(server.timeLimits()).isEqualTo(Map.of("drain", Duration.ofMinutes(2)));
    }

    @Test
    void nothingIsSetByDefaultAndNoWiresAreAnEmptyList() throws IOException {
        ServerSettings none = server("");
        assertThat(none.host()).isEmpty();
        assertThat(none.port()).isEmpty();
        assertThat(none.oidc()).isEmpty();
        assertThat(none.wires()).isEmpty();
        assertThat(none.limits()).isEmpty();
        assertThat(server("server: { wires: [] }").wires())
                .hasValueSatisfying(wires -> assertThat(wires).isEmpty());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        port: 70000                   | crew.yaml:2:17: 'port' of 'server' must be a whole number
        wires: [ openai, mastr ]      | unknown wire 'mastr' in 'wires' of 'server'. There are: openai, ai-sdk, ag-ui, mastra. Did you mean 'mastra'?
        resumable: [ http ]           | unknown wire 'http' in 'resumable' of 'server'.
        selectableVersions: [ wrter ] | unknown agent 'wrter' in 'selectableVersions' of 'server'.
        selectableModels: [ gpt-5 ]   | crew.yaml:2:31: 'selectableModels' of 'server': Model 'gpt-5' must be named provider/model
        answers: never                | 'answers'
        limits: { streams: 0 }        | 'streams' of 'limits' of 'server' must be a whole number from 1
        limits: { stream: 1 }         | unknown key 'stream' in 'limits' of 'server'.
        timeLimits: { drain: soon }   | 'drain'
        oidc: { audience: agents }    | 'oidc' of 'server' has no 'issuer'. Add it, such as issuer: https://login.example.com.
        hosts: a                      | unknown key 'hosts' in 'server'.
        """)
    void mistakesSayWhereTheyAreAndWhatIsAllowed(String server, String message) {
        assertThatThrownBy(() -> server("server: { " + server + " }"))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining(message);
    }
}
