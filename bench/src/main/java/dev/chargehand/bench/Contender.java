package dev.chargehand.bench;

/** A program that makes delegated runs: ours, or one that only makes the same calls. Thread-safe. */
interface Contender extends AutoCloseable {

    /** Make one run and return its answer. */
    String run(String marker) throws Exception;

    @Override
    void close();
}
