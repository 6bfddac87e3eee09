/** Tools that call the operations of an HTTP API, made from its OpenAPI document. */
@NullMarked
package dev.chargehand.openapi;

import org.jspecify.annotations.NullMarked;
