package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.run.RunStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** An answer is stored also where the agents' file has a mistake, and carried out when it has been fixed. */
class DecisionAloneTest extends StoredRunsFixture {

    private Path agents() {
        return folder.resolve("chargehand.yaml");
    }

    private void mistake() throws IOException {
        Files.writeString(agents(), Files.readString(agents()).replace("description: Reads.", "descriptoin: Reads."));
    }

    private void fix() throws IOException {
        Files.writeString(agents(), Files.readString(agents()).replace("descriptoin: Reads.", "description: Reads."));
    }

    @Test
    void anApprovalIsStoredAndTheRunContinuesWhenTheFileIsFixed() throws IOException {
        String id = waiting();
        mistake();

        Ran approved = run("approve", id);
        assertThat(approved.exitCode()).isEqualTo(4);
        assertThat(approved.err())
                .contains("descriptoin")
                .endsWith("The answer is stored. As soon as the file can be used, this continues the run:"
                        + System.lineSeparator() + "  chargehand resume " + id + System.lineSeparator());
        assertThat(newest().status()).isEqualTo(RunStatus.SUSPENDED);
        refused(run("approve", id), "waits for no answer any more");

        fix();
        Ran resumed = run("resume", id);
        assertThat(resumed.exitCode()).isZero();
        assertThat(resumed.err()).contains("tester approved search-files");
        assertThat(resumed.out()).contains("docs/boats.md:3");
    }

    @Test
    void aDeclineIsStoredToo() throws IOException {
        String id = waiting();
        mistake();

        assertThat(run("decline", id, "--reason", "Not now.").exitCode()).isEqualTo(4);

        fix();
        assertThat(run("resume", id).err()).contains("tester declined search-files: Not now.");
    }

    @Test
    void theCallIsShownAtATerminalAndMayBeLeftWaiting() throws IOException {
        String id = waiting();
        mistake();
        Typist typist = new Typist("l");

        Ran left = Ran.in(folder, typist, "approve", id);

        assertThat(left.exitCode()).isEqualTo(4);
        assertThat(typist.screen()).contains("  │   \"query\": \"boat float\"");
        assertThat(left.err()).contains("  chargehand approve " + id).doesNotContain("The answer is stored.");
    }

    @Test
    void aResumeStillNeedsTheAgents() throws IOException {
        String id = waiting();
        mistake();

        assertThat(run("resume", id).exitCode()).isEqualTo(2);
    }

    @Test
    void aResumedRunWhoseSearchesFoundNothingHasThatCode() {
        assertThat(run("run", "Which zebras sing?").exitCode()).isEqualTo(4);
        String id = newest().runId().value();

        Ran ran = run("approve", id);

        assertThat(ran.exitCode()).isEqualTo(5);
        assertThat(ran.err()).contains("chargehand: the searches of the documents found nothing.");
    }
}
