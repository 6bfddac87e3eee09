package dev.chargehand.verify.failure;

/**
 * One run of the scenario.
 *
 * @param kind what kind of run it is
 * @param nth which call of the part fails
 * @param streamed whether the run is watched, or waited for
 */
record FailureCase(Kind kind, Part part, Fault fault, int nth, boolean streamed) {}
