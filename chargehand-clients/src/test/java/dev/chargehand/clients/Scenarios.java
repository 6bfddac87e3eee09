package dev.chargehand.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.json.Json;
import dev.chargehand.server.ChargehandServer;
import dev.chargehand.server.HttpBinding;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.ServerBuilder;
import dev.chargehand.server.ServerTimeLimit;
import dev.chargehand.store.Store;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** What scenarios in all languages have in common: a server, a key, and lines that report them. */
final class Scenarios {

    static final String KEY = "key-of-ann";

    private static final int LEAST = 5;

    private Scenarios() {}

    static ServerBuilder server(AgentRuntime runtime, HttpBinding binding) {
        return ChargehandServer.builder(runtime)
                .binding(binding)
                .port(0)
                .timeLimit(ServerTimeLimit.DRAIN, Duration.ofSeconds(1));
    }

    static Optional<Principal> resolve(String token) {
        return token.equals(KEY)
                ? Optional.of(new Principal("ann", Store.LOCAL, Optional.of("ann"), EnumSet.allOf(Scope.class)))
                : Optional.empty();
    }

    /** Return a test for each scenario that a process has reported. */
    static Stream<DynamicTest> reports(List<String> lines) {
        List<Json> reports = lines.stream()
                .filter(line -> line.startsWith("{\"scenario\":"))
                .map(Json::parse)
                .toList();
        assertThat(reports).as(String.join("\n", lines)).hasSizeGreaterThan(LEAST);
        return reports.stream()
                .map(report -> DynamicTest.dynamicTest(
                        report.at("/scenario").flatMap(Json::string).orElseThrow(),
                        () -> assertThat(report.at("/error").flatMap(Json::string))
                                .isEmpty()));
    }
}
