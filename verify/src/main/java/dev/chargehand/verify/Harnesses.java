package dev.chargehand.verify;

import dev.chargehand.verify.cancel.CancelHarness;
import dev.chargehand.verify.failure.NthFailureHarness;
import dev.chargehand.verify.harness.Harness;
import dev.chargehand.verify.inbox.InboxHarness;
import dev.chargehand.verify.kill.KillHarness;
import dev.chargehand.verify.memory.MemoryHarness;
import dev.chargehand.verify.pgvector.PgVectorHarness;
import dev.chargehand.verify.planted.PlantedHarness;
import dev.chargehand.verify.races.RacesHarness;
import dev.chargehand.verify.release.ReleaseHarness;
import dev.chargehand.verify.sequences.SequencesHarness;
import dev.chargehand.verify.server.ServerHarness;
import dev.chargehand.verify.soak.SoakHarness;
import dev.chargehand.verify.spin.SpinHarness;
import dev.chargehand.verify.streams.FactsHarness;
import dev.chargehand.verify.streams.StreamsHarness;
import dev.chargehand.verify.tasks.TasksHarness;
import dev.chargehand.verify.watch.WatchHarness;
import dev.chargehand.verify.workflows.WorkflowsHarness;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The harnesses there are. A new one is a line here, and a script next to {@code verify/run}. */
final class Harnesses {

    private Harnesses() {}

    private static List<Harness> all() {
        return List.of(
                new StreamsHarness(),
                new FactsHarness(),
                new CancelHarness(),
                new SpinHarness(),
                new NthFailureHarness(),
                new KillHarness(),
                new RacesHarness(),
                new ReleaseHarness(),
                new WatchHarness(),
                new ServerHarness(),
                new InboxHarness(),
                new WorkflowsHarness(),
                new TasksHarness(),
                new MemoryHarness(),
                new SequencesHarness(),
                new PgVectorHarness(),
                new SoakHarness(),
                new PlantedHarness());
    }

    static CommandLine commandLine() {
        CommandLine command = new CommandLine(new Verify());
        for (Harness harness : all()) {
            command.addSubcommand(harness.name(), harness);
        }
        return command.setCaseInsensitiveEnumValuesAllowed(true).setUsageHelpWidth(100);
    }

    /** The command that holds the others. */
    @Command(name = "verify", description = "Tries to break Chargehand.", mixinStandardHelpOptions = true)
    static final class Verify {}
}
