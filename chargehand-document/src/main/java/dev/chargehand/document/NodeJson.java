package dev.chargehand.document;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.constructor.StandardConstructor;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads what stands below a key as JSON. */
final class NodeJson {

    private final Mistakes mistakes;
    private final Position at;
    private final String what;

    /** Prepare reading; {@code what} describes the current value in errors. */
    NodeJson(Mistakes mistakes, Position at, String what) {
        this.mistakes = mistakes;
        this.at = at;
        this.what = what;
    }

    /** Return a node as JSON, unless it has no such form. */
    Optional<Json> json(Node node) {
        try {
            return Optional.of(
                    Json.of(new StandardConstructor(LoadSettings.builder().build())
                            .constructSingleDocument(Optional.of(node))));
        } catch (YamlEngineException | ChargehandException e) {
            mistakes.add(
                    at,
                    what + " cannot be written as JSON: "
                            + String.valueOf(e.getMessage()).strip());
            return Optional.empty();
        }
    }

    /** Return a mapping as a JSON schema, unless it is invalid. */
    Optional<JsonSchema> schema(Node node) {
        Optional<JsonSchema> schema = json(node).map(JsonSchema::of);
        List<String> wrong = schema.map(JsonSchema::mistakes).orElse(List.of());
        if (wrong.isEmpty()) {
            return schema;
        }
        mistakes.add(at, what + " is no JSON schema: " + String.join("; ", wrong) + ".");
        return Optional.empty();
    }
}
