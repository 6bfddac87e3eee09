package dev.chargehand.internal.journal.upcast;

import tools.jackson.databind.node.ObjectNode;

/** Lifts the JSON of one type of fact from one version to the next. It uses literal keys, and no type of the domain. */
interface Upcaster {

    /** Return the name of the type. */
    String type();

    /** Return the version that it lifts. */
    int from();

    /** Change a fact of that version into one of the next. */
    void lift(ObjectNode fact);
}
