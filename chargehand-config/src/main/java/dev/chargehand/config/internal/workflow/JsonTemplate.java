package dev.chargehand.config.internal.workflow;

import dev.chargehand.document.Mistakes;
import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A JSON value whose texts are templates; one that is a single placeholder becomes the value itself. Immutable. */
public sealed interface JsonTemplate {

    /** Return the value in a run. */
    Json value(RunValues values);

    /** Read a template; wrong pointers are noted. */
    static JsonTemplate of(Json json, Position at, KeptOutputs kept, Mistakes mistakes) {
        if (json.string().isPresent()) {
            return new Text(TextTemplate.of(new Setting(json.string().get(), at), kept, mistakes));
        }
        if (json.isObject()) {
            Map<String, JsonTemplate> fields = new LinkedHashMap<>();
            json.fields().forEach((key, value) -> fields.put(key, of(value, at, kept, mistakes)));
            return new Fields(fields);
        }
        if (json.text().strip().startsWith("[")) {
            List<JsonTemplate> items = new ArrayList<>();
            for (int i = 0; json.at("/" + i).isPresent(); i++) {
                items.add(of(json.at("/" + i).get(), at, kept, mistakes));
            }
            return new Items(items);
        }
        return new Constant(json);
    }

    /** A text. */
    record Text(TextTemplate template) implements JsonTemplate {
        @Override
        public Json value(RunValues values) {
            return template.value(values);
        }
    }

    /** An object. */
    record Fields(Map<String, JsonTemplate> fields) implements JsonTemplate {
        @Override
        public Json value(RunValues values) {
            Map<String, Json> made = new LinkedHashMap<>();
            fields.forEach((key, template) -> made.put(key, template.value(values)));
            return Json.of(made);
        }
    }

    /** A list. */
    record Items(List<JsonTemplate> items) implements JsonTemplate {
        @Override
        public Json value(RunValues values) {
            return Json.of(items.stream().map(item -> item.value(values)).toList());
        }
    }

    /** A number, true, false or null. */
    record Constant(Json json) implements JsonTemplate {
        @Override
        public Json value(RunValues values) {
            return json;
        }
    }
}
