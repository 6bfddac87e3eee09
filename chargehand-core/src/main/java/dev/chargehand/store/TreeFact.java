package dev.chargehand.store;

import dev.chargehand.run.RunId;

/**
 * A fact with its place in the order of its tree of runs.
 *
 * @param position its tree position, from 1, without gaps
 * @param runId the run it is of
 * @param index its place among the facts of that run, from 0
 * @param entry the fact
 */
public record TreeFact(long position, RunId runId, long index, FactEntry entry) {}
