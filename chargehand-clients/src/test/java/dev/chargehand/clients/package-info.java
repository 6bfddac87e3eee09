/** Clients of others, in processes of their own or in this one, against a real server with scripted models. */
package dev.chargehand.clients;
