package dev.chargehand.verify.kill.plan;

/**
 * What a tool or a step does.
 *
 * @param tool its name
 * @param slot names the effect, unlike any other of the run
 * @param key the idempotency key
 * @param callId the call
 * @param attempt the number of the attempt, from 1
 */
public record Effect(String tool, String slot, String key, String callId, int attempt) {}
