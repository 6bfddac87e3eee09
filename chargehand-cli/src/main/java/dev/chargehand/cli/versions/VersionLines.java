package dev.chargehand.cli.versions;

import dev.chargehand.cli.output.Table;
import dev.chargehand.json.Json;
import dev.chargehand.version.AgentVersion;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows saved versions. */
final class VersionLines {

    private VersionLines() {}

    /** Return a line for each version: its id, when it was saved, its length, and whether it is published or the latest. */
    static List<String> of(List<AgentVersion> versions) {
        return Table.lines(versions.stream()
                .map(version -> List.of(
                        version.id(),
                        version.createdAt().truncatedTo(ChronoUnit.SECONDS).toString(),
                        version.document().length() + " characters",
                        standing(version)))
                .toList());
    }

    private static String standing(AgentVersion version) {
        return (version.published() ? "published " : "") + (version.latest() ? "latest" : "");
    }

    /** Return a version as one JSON object, without its document. */
    static Json json(AgentVersion version) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("agentId", version.agentId());
        fields.put("version", version.id());
        fields.put("createdAt", version.createdAt().toString());
        fields.put("published", version.published());
        fields.put("latest", version.latest());
        return Json.of(fields);
    }
}
