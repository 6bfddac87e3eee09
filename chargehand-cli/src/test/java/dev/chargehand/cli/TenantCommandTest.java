package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Commands act for one tenant, which the commands that they name repeat. */
class TenantCommandTest extends StoredRunsFixture {

    private static final String[] ACME = {"--tenant", "acme"};

    private Ran acme(String... arguments) {
        return run(Stream.of(arguments, ACME).flatMap(Arrays::stream).toArray(String[]::new));
    }

    private List<RunId> runsOf(String tenant) {
        try (Store store = JdbcStore.sqlite(folder.resolve(STORE))) {
            return store.forTenant(tenant).list(RunFilter.ROOTS).stream()
                    .map(run -> run.runId())
                    .toList();
        }
    }

    @Test
    void aRunOfATenantIsFoundForThatTenantOnly() {
        assertThat(acme("run", "Hello", "--agent", "plain", "--thread", "t").exitCode())
                .isZero();
        String run = runsOf("acme").getFirst().value();

        assertThat(runsOf("local")).isEmpty();
        assertThat(acme("runs").out()).contains(run);
        assertThat(run("runs").out()).doesNotContain(run);
        assertThat(acme("show", run).out()).contains("plain");
        assertThat(acme("show", run, "--events").out()).contains("\"tenantId\":\"acme\"");
        refused(run("show", run), "There is no run '" + run + "' in the store");
        refused(run("cancel", run), "There is no run");
        assertThat(acme("threads", "list").out()).contains("t ");
        assertThat(acme("threads", "show", "t").out()).contains("Hello");
        refused(run("threads", "show", "t"), "There is no thread 't'");
    }

    @Test
    void anAnswerIsGivenForTheTenantOfItsRun() {
        Ran waits = acme("run", QUESTION);
        assertThat(waits.exitCode()).isEqualTo(4);
        String run = runsOf("acme").getFirst().value();
        assertThat(waits.err()).contains("chargehand approve " + run + " --tenant acme");

        refused(run("approve", run), "There is no run");
        assertThat(acme("approve", run).exitCode()).isZero();
        assertThat(acme("runs", "--status", "completed").out()).contains(run);
    }

    @Test
    void aRunOfATenantIsCancelledAndForgotten() {
        assertThat(acme("run", QUESTION, "--thread", "t", "--resource", "ann").exitCode())
                .isEqualTo(4);
        String run = runsOf("acme").getFirst().value();

        assertThat(acme("cancel", run).err()).contains("cancelled run " + run);
        try (Store store = JdbcStore.sqlite(folder.resolve(STORE))) {
            assertThat(store.forTenant("acme")
                            .find(new RunId(run))
                            .orElseThrow()
                            .status())
                    .isEqualTo(RunStatus.ABORTED);
        }
        assertThat(run("memory", "forget", "--resource", "ann", "--yes").err()).contains("there was nothing");
        assertThat(acme("memory", "forget", "--resource", "ann", "--yes").err()).contains("deleted 1 run, 2 threads");
        assertThat(runsOf("acme")).isEmpty();
    }

    @Test
    void recoveringResumesTheRunsOfAllTenants() {
        assertThat(acme("run", QUESTION).exitCode()).isEqualTo(4);
        String run = runsOf("acme").getFirst().value();
        try (Store store = JdbcStore.sqlite(folder.resolve(STORE))) {
            store.forTenant("acme")
                    .deliver(new Delivery(
                            new RunId(run),
                            "cancel",
                            Delivery.Kind.CANCEL,
                            Json.parse("{\"by\":\"test\"}"),
                            Instant.EPOCH));
        }

        assertThat(run("recover").err()).contains("run " + run + ": aborted");
    }

    @Test
    void anIdThatNoTenantHasIsAMistake() {
        refused(run("run", "Hello", "--agent", "plain", "--tenant", ""), "A tenant id has 1 to 128 characters, not 0.");
        waiting();
        refused(run("runs", "--tenant", "x".repeat(129)), "A tenant id has 1 to 128 characters, not 129.");
    }

    @Test
    void endedRunsOfAllTenantsArePrunedAfterConfirmation() {
        assertThat(acme("run", "Hello", "--agent", "plain", "--thread", "t").exitCode())
                .isZero();
        assertThat(run("run", "Hello", "--agent", "plain", "--thread", "t").exitCode())
                .isZero();
        String waits = waiting();

        refused(run("prune"), "Missing required option: '--older-than=AGE'");
        for (String age : List.of("30", "d", "-1d", "1 d", "1w", "9999999d")) {
            refused(run("prune", "--older-than=" + age), "is not an age; write a number of days, hours or minutes");
        }
        refused(
                run("prune", "--older-than", "0m"),
                "There is no terminal to confirm the deletion of all runs that ended more than 0m ago. Say --yes if so.");
        assertThat(Ran.in(folder, new Typist("n"), "prune", "--older-than", "0m")
                        .err())
                .contains("no run was deleted");
        assertThat(run("prune", "--older-than", "30d", "--yes").err()).contains("no run ended more than 30d ago");
        assertThat(runsOf("acme")).hasSize(1);

        Ran pruned = run("prune", "--older-than", "0m", "--yes");

        assertThat(pruned.exitCode()).isZero();
        assertThat(pruned.out()).isEmpty();
        assertThat(pruned.err()).contains("deleted 2 runs with all nested ones");
        assertThat(runsOf("acme")).isEmpty();
        assertThat(runsOf("local")).containsExactly(new RunId(waits));
        assertThat(acme("threads", "show", "t").out()).contains("Hello");
    }
}
