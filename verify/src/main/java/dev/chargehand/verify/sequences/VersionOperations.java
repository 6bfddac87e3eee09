package dev.chargehand.verify.sequences;

import dev.chargehand.version.AgentVersion;
import dev.chargehand.version.AgentVersions;
import dev.chargehand.version.Version;
import java.util.List;

/** Saves, publishes, restores and deletes versions of agents. */
final class VersionOperations {

    private static final int MOST = 50;

    private final Turn turn;

    VersionOperations(Turn turn) {
        this.turn = turn;
    }

    Operation next() {
        Choice choice = turn.choice();
        String agent = choice.of("leaf", "top", "middle");
        String document = choice.of("one", "two", "three", "bad", "\u0000 é");
        int number = choice.below(10);
        AgentVersions versions = turn.tenant().versions();
        return switch (choice.below(7)) {
            case 0, 1 -> new Operation("save version", () -> versions.save(agent, document));
            case 2 -> new Operation("publish version", () -> versions.publish(agent, id(versions, agent, number)));
            case 3 -> new Operation("restore version", () -> versions.restore(agent, id(versions, agent, number)));
            case 4 -> new Operation("delete version", () -> versions.delete(agent, id(versions, agent, number)));
            case 5 ->
                new Operation(
                        "find version",
                        () -> List.of(
                                versions.find(agent, Version.latest()), versions.find(agent, Version.published())));
            default -> new Operation("versions", () -> versions.list(agent, null, MOST));
        };
    }

    private static String id(AgentVersions versions, String agent, int number) {
        List<AgentVersion> all = versions.list(agent, null, MOST);
        return all.isEmpty() ? "v_missing" : all.get(number % all.size()).id();
    }
}
