package dev.chargehand.testkit.provider;

import dev.chargehand.testkit.provider.request.ReceivedRequest;

/**
 * Record one broken rule.
 *
 * @param sequence the request's {@link ReceivedRequest#sequence()}; 0 for bytes that never became a request
 * @param rule the rule it broke
 * @param detail where and what, without the text of a message or a forbidden string
 */
public record Violation(long sequence, Rule rule, String detail) {}
