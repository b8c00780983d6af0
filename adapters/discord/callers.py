"""Reads the sender and the place of an interaction."""

from __future__ import annotations

import discord
from discord import Interaction

from bot.model.places import Place
from bot.ports import Caller

KEY = "discord"


def caller_of(interaction: Interaction) -> Caller:
    """The sender of an interaction and its place; a thread or a forum post is a place like a channel."""
    # In a group chat outside any server the bot cannot write, and other users read along.
    group = interaction.context.private_channel
    is_direct, user = interaction.guild_id is None and not group, interaction.user
    return Caller(
        user=str(user.id),
        name=user.display_name,
        place=Place(KEY, str(interaction.channel_id)),
        community=str(interaction.guild_id or ""),
        channel=_channel_around(interaction),
        server=f"server {interaction.guild_id}" if interaction.guild_id else "",
        private=is_direct,
        locale=interaction.locale.value,
        room_locale=interaction.guild_locale.value if interaction.guild_locale else "",
        moderator=not is_direct and interaction.permissions.manage_messages,
        only_here=not _moderates_server(interaction),
        cannot_post=group or (not is_direct and not _may_write(interaction)),
        threads=_may_open_threads(interaction),
        members_only=isinstance(interaction.channel, discord.Thread) and interaction.channel.is_private(),
        username=user.name,
        place_name=_place_name(interaction),
    )


def _moderates_server(interaction: Interaction) -> bool:
    """Whether the sender's roles make them a moderator of the server; False while its roles are unknown."""
    guild, user = interaction.guild, interaction.user
    # The role that everyone has, with the server's id: without it the client does not know the roles.
    if guild is None or guild.get_role(guild.id) is None or not isinstance(user, discord.Member):
        return False
    return user.guild_permissions.manage_messages


def _place_name(interaction: Interaction) -> str:
    """The names of an interaction's server and channel, as far as the client knows them; else empty."""
    channel = getattr(interaction.channel, "name", None)
    known = (interaction.guild.name if interaction.guild else "", f"#{channel}" if channel else "")
    return " ".join(filter(None, known)) if interaction.guild_id else ""


def _channel_around(interaction: Interaction) -> str:
    """The channel of the thread from which an interaction comes; empty outside threads."""
    channel = interaction.channel
    return str(channel.parent_id) if isinstance(channel, discord.Thread) else ""


def _may_write(interaction: Interaction) -> bool:
    ours = interaction.app_permissions
    inside = isinstance(interaction.channel, discord.Thread)
    return ours.view_channel and (ours.send_messages_in_threads if inside else ours.send_messages)


def _may_open_threads(interaction: Interaction) -> bool:
    ours = interaction.app_permissions
    is_channel = isinstance(interaction.channel, discord.TextChannel)
    return is_channel and ours.create_public_threads and ours.send_messages_in_threads
