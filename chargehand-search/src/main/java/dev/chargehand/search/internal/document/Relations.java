package dev.chargehand.search.internal.document;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Which part of a document an id stands for. */
final class Relations {

    private final Map<String, String> targets = new HashMap<>();

    /** Read those of a part, whose targets are named from its folder. */
    static Relations of(ZipParts parts, String folder, String part) throws IOException {
        Relations relations = new Relations();
        String name = folder + "/_rels/" + part + ".rels";
        if (parts.has(name)) {
            Xml xml = parts.open(name);
            while (xml.next()) {
                if (xml.begins("Relationship")) {
                    String target = xml.attribute("Target");
                    relations.targets.put(
                            xml.attribute("Id"), target.startsWith("/") ? target.substring(1) : folder + "/" + target);
                }
            }
        }
        return relations;
    }

    /** Return the name of a part; empty if the id stands for none. */
    String target(String id) {
        return targets.getOrDefault(id, "");
    }
}
