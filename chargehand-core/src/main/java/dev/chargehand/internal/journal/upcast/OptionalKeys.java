package dev.chargehand.internal.journal.upcast;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * A version that adds only what may be missing, so that a fact of the version before has nothing to be changed.
 *
 * @param added what the next version may have in addition
 */
record OptionalKeys(String type, int from, List<String> added) implements Upcaster {

    OptionalKeys(String type, int from, String... added) {
        this(type, from, List.of(added));
    }

    @Override
    public void lift(ObjectNode fact) {}
}
